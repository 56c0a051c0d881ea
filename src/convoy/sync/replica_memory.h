// Parameters and gradients of one rank's replica and, inside a node, access to those of its neighbours. Where kernels
// read parameters in bf16, there is also a bf16 copy of each parameter.
#pragma once

#include <span>
#include <vector>

#include "convoy/comm/communicator.h"
#include "convoy/tensor/data_type.h"

namespace convoy {

class ReplicaMemory {
 public:
  // Collective: zeroed memory that the ranks of a node can all access. The communicator must outlive it.
  ReplicaMemory(Communicator& communicator, std::size_t parameter_floats, std::size_t gradient_floats,
                bool with_copies = false);

  // For a single rank, with memory that belongs to the caller.
  ReplicaMemory(std::span<float> parameters, std::span<float> gradients);

  [[nodiscard]] std::span<float> parameters() const { return parameters_[local_rank_]; }
  [[nodiscard]] std::span<float> gradients() const { return gradients_[local_rank_]; }

  // Empty when there are no copies.
  [[nodiscard]] std::span<BFloat16> copies() const { return copies_[local_rank_]; }

  // One entry per local rank.
  [[nodiscard]] const std::vector<std::span<float>>& parameters_in_node() const { return parameters_; }
  [[nodiscard]] const std::vector<std::span<float>>& gradients_in_node() const { return gradients_; }
  [[nodiscard]] const std::vector<std::span<BFloat16>>& copies_in_node() const { return copies_; }
  [[nodiscard]] int local_rank() const { return local_rank_; }

 private:
  int local_rank_ = 0;
  std::vector<std::span<float>> parameters_;
  std::vector<std::span<float>> gradients_;
  std::vector<std::span<BFloat16>> copies_;
};

}  // namespace convoy
