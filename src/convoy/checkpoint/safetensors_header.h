// The header of a safetensors file: what tensors there are and where.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "convoy/checkpoint/named_tensor.h"

namespace convoy {

inline constexpr std::uint64_t kLongestHeaderBytes = 100'000'000;

struct TensorEntry {
  std::string name;
  std::string type;  // "F32"
  Shape shape;
  std::uint64_t begin = 0;  // counted from the end of the header
  std::uint64_t end = 0;
};

struct SafetensorsHeader {
  std::vector<TensorEntry> tensors;  // in the order in which they lie in the file
  std::map<std::string, std::string> metadata;
};

// The first bytes of a file of these tensors, one after another: length, JSON, and spaces up to a multiple of 64.
[[nodiscard]] std::string safetensors_header_bytes(std::span<const NamedTensor> tensors,
                                                   const std::map<std::string, std::string>& metadata);

// Reads the JSON of a header that `data_bytes` bytes of tensors follow, and checks everything the form demands. Throws
// DataError.
[[nodiscard]] SafetensorsHeader parse_safetensors_header(std::string_view json, std::uint64_t data_bytes);

}  // namespace convoy
