#include "convoy/checkpoint/named_tensor.h"

#include <algorithm>

#include "convoy/base/error.h"

namespace convoy {

const NamedTensor* find_tensor(std::span<const NamedTensor> tensors, std::string_view name) {
  const auto at = std::ranges::find(tensors, name, &NamedTensor::name);
  return at == tensors.end() ? nullptr : &*at;
}

std::span<const float> floats_of(std::span<const NamedTensor> tensors, std::string_view name, const Shape& shape) {
  const NamedTensor* tensor = find_tensor(tensors, name);
  if (tensor == nullptr) throw DataError("there is no tensor '{}'", name);
  if (tensor->shape != shape) {
    throw DataError("the tensor '{}' is {} and should be {}", name, tensor->shape.to_string(), shape.to_string());
  }
  const auto* values = std::get_if<std::vector<float>>(&tensor->values);
  if (values == nullptr) throw DataError("the tensor '{}' holds whole numbers", name);
  return *values;
}

}  // namespace convoy
