// Files of tensors in the safetensors form, which PyTorch and others read: the length of a JSON header, the header, the
// tensors one after another.
#pragma once

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

}  // namespace convoy
