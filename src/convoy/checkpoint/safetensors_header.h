// The header of a safetensors file: which tensors it has and where they are.
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
  std::vector<TensorEntry> tensors;  // in the order of their places in the file
  std::map<std::string, std::string> metadata;
};

// The beginning of a file with these tensors: length, JSON, and spaces up to a multiple of 64 bytes.
[[nodiscard]] std::string safetensors_header_bytes(std::span<const NamedTensor> tensors,
                                                   const std::map<std::string, std::string>& metadata);

// Reads a header's JSON, which `data_bytes` bytes of tensors follow, and checks everything that the format demands.
// Throws DataError.
[[nodiscard]] SafetensorsHeader parse_safetensors_header(std::string_view json, std::uint64_t data_bytes);

}  // namespace convoy
