// Files of tensors in the safetensors form, which PyTorch and others read: the length of a JSON header, the header, the
// tensors one after another.
#pragma once

#include <bit>
#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "convoy/checkpoint/file_digest.h"
#include "convoy/checkpoint/named_tensor.h"

namespace convoy {

struct TensorFile {
  std::vector<NamedTensor> tensors;             // in the order of the file
  std::map<std::string, std::string> metadata;  // what the writer wanted to say

  bool operator==(const TensorFile&) const = default;
};

// Writes the file as F32 and I64, synced to the disk, and returns its size and hash. Names must differ, and each tensor
// must have as many values as its shape says. Not atomic: a failed or killed writer leaves half a file. Throws
// SystemError.
FileDigest write_safetensors(const std::filesystem::path& path, std::span<const NamedTensor> tensors,
                             const std::map<std::string, std::string>& metadata = {});

// Reads F32, F64, F16 and BF16 as floats and I64 as it is. Throws DataError with the path and, where there is one, the
// tensor for every other type and for everything that the form does not allow: a file cut short or too long, a header
// that is no such JSON, names twice, offsets that overlap or leave holes. Takes no more memory than the file is long,
// whatever its header says.
[[nodiscard]] TensorFile read_safetensors(const std::filesystem::path& path);

// The narrow floating-point formats that tensors in files may have, as floats.

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
