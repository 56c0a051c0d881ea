// Tensors as they lie in files: a name, a shape and plain row-major values (OIHW for convolutions).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "convoy/tensor/shape.h"

namespace convoy {

struct NamedTensor {
  std::string name;  // "conv1.weight"
  Shape shape;
  std::variant<std::vector<float>, std::vector<std::int64_t>> values;  // shape.count() of them

  bool operator==(const NamedTensor&) const = default;
};

// The tensor of that name, or null.
[[nodiscard]] const NamedTensor* find_tensor(std::span<const NamedTensor> tensors, std::string_view name);

// Its values. Throws DataError naming the tensor when it is not there, has another shape or holds whole numbers.
[[nodiscard]] std::span<const float> floats_of(std::span<const NamedTensor> tensors, std::string_view name,
                                               const Shape& shape);

}  // namespace convoy
