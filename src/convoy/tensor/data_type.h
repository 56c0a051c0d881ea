// The types of a tensor's elements: floats of 32 bits, or bf16, which is the upper half of such a float: the same range
// with eight bits of precision.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace convoy {

enum class DataType : std::uint8_t { fp32, bf16 };

[[nodiscard]] constexpr const char* name_of(DataType type) { return type == DataType::bf16 ? "bf16" : "fp32"; }

// The inverse of the name above. Throws UserError for an unknown name.
[[nodiscard]] DataType data_type_named(std::string_view name);

struct BFloat16 {
  std::uint16_t bits;

  bool operator==(const BFloat16&) const = default;
};

[[nodiscard]] constexpr std::size_t size_of(DataType type) {
  return type == DataType::bf16 ? sizeof(BFloat16) : sizeof(float);
}

[[nodiscard]] constexpr float to_float(float value) { return value; }
[[nodiscard]] constexpr float to_float(BFloat16 value) {
  return std::bit_cast<float>(std::uint32_t{value.bits} << 16U);
}

// Rounds to the nearest bf16; of two equally near ones to the even one. NaN stays NaN, and values that are too large
// become infinite.
[[nodiscard]] constexpr BFloat16 to_bfloat16(float value) {
  constexpr std::uint32_t kQuiet = 0x400000U;
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const bool is_nan = value != value;
  const std::uint32_t rounded = is_nan ? bits | kQuiet : bits + 0x7fffU + ((bits >> 16U) & 1U);
  return {static_cast<std::uint16_t>(rounded >> 16U)};
}

// Conversion to the element type, for loops that are written once for both types.
template <typename Element>
[[nodiscard]] constexpr Element from_float(float value);
template <>
[[nodiscard]] constexpr float from_float<float>(float value) {
  return value;
}
template <>
[[nodiscard]] constexpr BFloat16 from_float<BFloat16>(float value) {
  return to_bfloat16(value);
}

template <typename Element>
inline constexpr DataType kTypeOf = DataType::fp32;
template <>
inline constexpr DataType kTypeOf<BFloat16> = DataType::bf16;

// Calls body<float>() or body<BFloat16>().
template <typename Body>
decltype(auto) with_element(DataType type, const Body& body) {
  if (type == DataType::bf16) return body.template operator()<BFloat16>();
  return body.template operator()<float>();
}

}  // namespace convoy
