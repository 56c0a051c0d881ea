// Stochastic gradient descent with momentum, as one pass over slices of the arenas.
#pragma once

#include <span>
#include <vector>

#include "convoy/tensor/aligned_buffer.h"

namespace convoy {

struct SgdOptions {
  float learning_rate = 0.01F;
  float momentum = 0.9F;
  float weight_decay = 0.0F;  // added to the gradient as weight_decay * parameter
};

// v = momentum * v + g + weight_decay * p;  p -= learning_rate * v, as in PyTorch.
class Sgd {
 public:
  Sgd(std::size_t arena_floats, const SgdOptions& options);

  void set_learning_rate(float rate) { options_.learning_rate = rate; }

  // Updates the elements from `offset` on of the parameter arena, whose gradients are complete. Slices of one step must
  // not overlap; their order does not matter. Uses the calling thread's OpenMP threads.
  void update(std::size_t offset, std::span<float> parameters, std::span<const float> gradients);

 private:
  SgdOptions options_;
  AlignedBuffer velocity_;
};

}  // namespace convoy
