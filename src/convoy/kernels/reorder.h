// Copies between layouts, alone or around another operator.
#pragma once

#include <utility>
#include <vector>

#include "convoy/kernels/device.h"
#include "convoy/kernels/kernel.h"

namespace convoy::kernels {

// source -> destination; the dimensions must be equal.
[[nodiscard]] PreparedPtr prepare_reorder(const Device& device, const Layout& from, const Layout& to);

// The operator with some operands taken or given in other layouts than its own. What differs is copied through the
// scratchpad, inputs before and outputs after the operator; when nothing differs the operator itself is returned.
[[nodiscard]] PreparedPtr adapt(const Device& device, PreparedPtr inner,
                                const std::vector<std::pair<Role, Layout>>& wanted);

}  // namespace convoy::kernels
