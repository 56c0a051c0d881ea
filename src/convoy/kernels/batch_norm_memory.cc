#include "convoy/kernels/batch_norm_memory.h"

#include "convoy/kernels/device.h"

namespace convoy::kernels {

std::size_t channel_array_bytes(std::int64_t channels) {
  const std::int64_t block = channel_block();
  return static_cast<std::size_t>((channels + block - 1) / block * block) * sizeof(float);
}

std::vector<std::pair<Role, std::size_t>> channel_needs(const BatchNormProblem& problem,
                                                        std::initializer_list<Role> roles) {
  std::vector<std::pair<Role, std::size_t>> needs;
  for (Role role : roles) needs.emplace_back(role, channel_array_bytes(problem.channels));
  return needs;
}

}  // namespace convoy::kernels
