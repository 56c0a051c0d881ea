// What batch norm kernels need beside images: arrays with a value for each channel.
#pragma once

#include <initializer_list>
#include <utility>
#include <vector>

#include "convoy/kernels/batch_norm.h"

namespace convoy::kernels {

// Arrays of whole channel blocks in these roles.
[[nodiscard]] std::vector<std::pair<Role, std::size_t>> channel_needs(const BatchNormProblem& problem,
                                                                      std::initializer_list<Role> roles);

}  // namespace convoy::kernels
