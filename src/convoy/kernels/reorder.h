// Copies between layouts and element types, alone or around another operator.
#pragma once

#include <utility>
#include <vector>

#include "convoy/kernels/device.h"
#include "convoy/kernels/kernel.h"

namespace convoy::kernels {

// source -> destination; the dimensions must be equal.
[[nodiscard]] PreparedPtr prepare_reorder(const Device& device, const Layout& from, const Layout& to);

// The operator with some operands in other layouts than its own. Operands that differ are copied through the
// scratchpad: inputs before and outputs after the operator. If nothing differs, the operator itself is returned. An
// operator that is adapted already is adapted anew, so that nothing is copied twice.
using WantedLayouts = std::vector<std::pair<Role, Layout>>;
[[nodiscard]] PreparedPtr adapt(const Device& device, PreparedPtr inner, const WantedLayouts& wanted);

// Makes an operator on floats take and give bf16: its images, their gradients and its weights. `destination` is the
// type of its result. Its name begins with "fp32".
[[nodiscard]] PreparedPtr adapt_to_bf16(const Device& device, PreparedPtr inner, DataType destination);

}  // namespace convoy::kernels
