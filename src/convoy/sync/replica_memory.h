// Parameters and gradients of one rank's replica, and, inside a node, those of its neighbours. Where kernels read
// parameters in bf16 there are copies of them too, one for each parameter.
#pragma once

#include <span>
#include <vector>

#include "convoy/comm/communicator.h"
#include "convoy/tensor/data_type.h"

namespace convoy {

class ReplicaMemory {
 public:
  // Collective: zeroed memory where the ranks of a node reach each other's. The communicator outlives it.
  ReplicaMemory(Communicator& communicator, std::size_t parameter_floats, std::size_t gradient_floats,
                bool with_copies = false);

  // A rank that is alone, with memory of somebody else's.
  ReplicaMemory(std::span<float> parameters, std::span<float> gradients);

  [[nodiscard]] std::span<float> parameters() const { return parameters_[local_rank_]; }
  [[nodiscard]] std::span<float> gradients() const { return gradients_[local_rank_]; }

  // Empty without copies.
  [[nodiscard]] std::span<BFloat16> copies() const { return copies_[local_rank_]; }

  // By local rank.
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
