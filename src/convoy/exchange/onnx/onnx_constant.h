// Constants of an ONNX model: weights, and the whole numbers that shapes are made of.
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

// In a shape that the model computes itself: the number of samples, which nobody knows yet.
inline constexpr std::int64_t kOnnxBatch = INT64_MIN + 7;

struct OnnxConstant {
  std::vector<std::int64_t> dims;
  std::vector<float> floats;         // or
  std::vector<std::int64_t> wholes;  // one of them has count() values

  [[nodiscard]] std::int64_t count() const;
  [[nodiscard]] bool is_whole() const { return floats.empty() && !wholes.empty(); }
};

// Takes floats of all widths as floats, whole numbers as they are. `folder` is where the model lies: tensors may be in
// files there, and nowhere else. Throws DataError with the tensor's name for sizes that do not fit, other types and
// files that are not there or outside.
[[nodiscard]] OnnxConstant read_constant(const onnx::TensorProto& tensor, const std::filesystem::path& folder);

// Rearranged so that extent i of the result is extent `order[i]`, which is a permutation.
[[nodiscard]] OnnxConstant transposed(const OnnxConstant& constant, const std::vector<std::int64_t>& order);

// What a reshape to `target` gives of `dims`: 0 keeps an extent, one -1 is computed. Nothing when it does not fit.
[[nodiscard]] std::optional<std::vector<std::int64_t>> reshaped(const std::vector<std::int64_t>& dims,
                                                                const std::vector<std::int64_t>& target);

}  // namespace convoy
