// Copies between layouts and types of elements, alone or around another operator.
#pragma once

#include <utility>
#include <vector>

#include "convoy/kernels/device.h"
#include "convoy/kernels/kernel.h"

namespace convoy::kernels {

// source -> destination; the dimensions must be equal.
[[nodiscard]] PreparedPtr prepare_reorder(const Device& device, const Layout& from, const Layout& to);

// The operator with some operands taken or given in other layouts than its own. What differs is copied through the
// scratchpad, inputs before and outputs after the operator; when nothing differs the operator itself is returned. An
// operator that is adapted already is adapted anew, so that nothing is copied twice.
using WantedLayouts = std::vector<std::pair<Role, Layout>>;
[[nodiscard]] PreparedPtr adapt(const Device& device, PreparedPtr inner, const WantedLayouts& wanted);

// An operator on floats that takes and gives bf16: its images, their gradients and its weights. `destination` is what
// its result is. Its name begins with "fp32".
[[nodiscard]] PreparedPtr adapt_to_bf16(const Device& device, PreparedPtr inner, DataType destination);

}  // namespace convoy::kernels
