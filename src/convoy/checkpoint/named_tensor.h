// Tensors as files store them: a name, a shape and plain row-major values (OIHW for convolutions).
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
  std::variant<std::vector<float>, std::vector<std::int64_t>> values;  // as many as shape.count()

  bool operator==(const NamedTensor&) const = default;
};

// The tensor of that name, or null.
[[nodiscard]] const NamedTensor* find_tensor(std::span<const NamedTensor> tensors, std::string_view name);

// The values of the tensor of that name. Throws DataError that names the tensor when it is missing, has another shape
// or contains whole numbers.
[[nodiscard]] std::span<const float> floats_of(std::span<const NamedTensor> tensors, std::string_view name,
                                               const Shape& shape);

}  // namespace convoy
