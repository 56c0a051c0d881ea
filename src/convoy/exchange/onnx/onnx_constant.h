// Constants of an ONNX model: weights, and the whole numbers that shapes consist of.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace onnx {
class TensorProto;
}

namespace convoy {

// Stands for the number of samples, which is not known yet, in a shape that the model computes itself.
inline constexpr std::int64_t kOnnxBatch = INT64_MIN + 7;

struct OnnxConstant {
  std::vector<std::int64_t> dims;
  std::vector<float> floats;         // either these ...
  std::vector<std::int64_t> wholes;  // ... or these are count() values

  [[nodiscard]] std::int64_t count() const;
  [[nodiscard]] bool is_whole() const { return floats.empty() && !wholes.empty(); }
};

// Reads floats of all widths as floats and whole numbers as they are. `folder` is that of the model: tensors may be in
// other files there, but nowhere else. Throws DataError with the tensor's name for sizes that do not fit, other types,
// and files that are missing or outside the folder.
[[nodiscard]] OnnxConstant read_constant(const onnx::TensorProto& tensor, const std::filesystem::path& folder);

// Rearranges the extents: extent i of the result is extent `order[i]` of the constant; `order` is a permutation.
[[nodiscard]] OnnxConstant transposed(const OnnxConstant& constant, const std::vector<std::int64_t>& order);

// The shape after reshaping `dims` to `target`: 0 keeps an extent, and a single -1 is computed. No value when it does
// not fit.
[[nodiscard]] std::optional<std::vector<std::int64_t>> reshaped(const std::vector<std::int64_t>& dims,
                                                                const std::vector<std::int64_t>& target);

}  // namespace convoy
