// The arrays with a value per channel that batch norm kernels need besides images.
#pragma once

#include <initializer_list>
#include <utility>
#include <vector>

#include "convoy/kernels/batch_norm.h"

namespace convoy::kernels {

// For each of these roles, the bytes of an array with a value per channel, in whole channel blocks.
[[nodiscard]] std::vector<std::pair<Role, std::size_t>> channel_needs(const BatchNormProblem& problem,
                                                                      std::initializer_list<Role> roles);

}  // namespace convoy::kernels
