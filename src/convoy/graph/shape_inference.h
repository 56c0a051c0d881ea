// Infers the output shape of an operator from its inputs and refuses attributes and shapes that do not fit.
#pragma once

#include <span>
#include <string_view>

#include "convoy/graph/operators.h"
#include "convoy/tensor/shape.h"

namespace convoy {

// The shape of one sample of the output. `name` is only for messages: UserError `layer "name": ...` with the shapes.
[[nodiscard]] Shape infer_shape(const Operator& op, std::span<const Shape> inputs, std::string_view name);

}  // namespace convoy
