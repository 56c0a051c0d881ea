// The narrow floating-point formats that tensors in files may have, as floats.
#pragma once

#include <bit>
#include <cstdint>

namespace convoy {

// The upper half of a float.
[[nodiscard]] inline float float_of_bfloat16(std::uint16_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16U);
}

// IEEE binary16: sign, 5 bits of exponent biased by 15, 10 bits of mantissa.
[[nodiscard]] inline float float_of_half(std::uint16_t bits) {
  const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000U) << 16U;
  const std::uint32_t exponent = (bits >> 10U) & 0x1FU;
  const std::uint32_t mantissa = bits & 0x3FFU;
  if (exponent == 0) {  // zero and subnormals: mantissa * 2^-24, which is exact
    const float magnitude = static_cast<float>(mantissa) * 0x1p-24F;
    return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(magnitude));
  }
  const std::uint32_t wide_exponent = exponent == 0x1FU ? 0xFFU : exponent + 112U;  // infinities and NaN stay so
  return std::bit_cast<float>(sign | (wide_exponent << 23U) | (mantissa << 13U));
}

}  // namespace convoy
