// Files of tensors in the safetensors format, which PyTorch and others read: the length of a JSON header, the header,
// then the tensors one after another.
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
  std::map<std::string, std::string> metadata;  // free text from the writer

  bool operator==(const TensorFile&) const = default;
};

// Writes the tensors as F32 and I64, syncs the file to the disk, and returns its size and hash. Names must differ, and
// each tensor must have as many values as its shape says. Not atomic: a writer that fails or is killed leaves half a
// file. Throws SystemError.
FileDigest write_safetensors(const std::filesystem::path& path, std::span<const NamedTensor> tensors,
                             const std::map<std::string, std::string>& metadata = {});

// Reads F32, F64, F16 and BF16 as floats and I64 as it is. Throws DataError with the path, and the tensor if there is
// one, for every other type and everything that the format does not allow: a file that is too short or too long, a bad
// JSON header, duplicate names, offsets that overlap or leave gaps. Uses no more memory than the file is long, whatever
// its header says.
[[nodiscard]] TensorFile read_safetensors(const std::filesystem::path& path);

// Converts the narrow floating-point formats that files may contain to floats.

// bf16 is the upper half of a float.
[[nodiscard]] inline float float_of_bfloat16(std::uint16_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16U);
}

// IEEE binary16: sign, 5 bits of exponent biased by 15, 10 bits of mantissa.
[[nodiscard]] inline float float_of_half(std::uint16_t bits) {
  const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000U) << 16U;
  const std::uint32_t exponent = (bits >> 10U) & 0x1FU;
  const std::uint32_t mantissa = bits & 0x3FFU;
  if (exponent == 0) {  // zero and subnormal numbers: mantissa * 2^-24, which is exact
    const float magnitude = static_cast<float>(mantissa) * 0x1p-24F;
    return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(magnitude));
  }
  // Infinity and NaN keep their special exponent.
  const std::uint32_t wide_exponent = exponent == 0x1FU ? 0xFFU : exponent + 112U;
  return std::bit_cast<float>(sign | (wide_exponent << 23U) | (mantissa << 13U));
}

}  // namespace convoy
