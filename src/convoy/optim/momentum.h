// Gradient descent with momentum, as PyTorch does it (dampening 0): the velocity gathers gradients,
//   v = momentum * v + g + weight_decay * p
// and the parameter follows the velocity, or with Nesterov's look ahead where the velocity will be:
//   p -= rate * v      or      p -= rate * (g + weight_decay * p + momentum * v)
#pragma once

#include "convoy/optim/optimizer.h"

namespace convoy {

class Momentum : public Optimizer {
 public:
  Momentum(const OptimizerOptions& options, std::size_t arena_floats, DecayRanges decay);

 private:
  void prepare(double learning_rate) override;
  void update_stretch(const Stretch& stretch) const override;

  bool nesterov_;
  float momentum_;
  float weight_decay_;
  float rate_ = 0;
};

}  // namespace convoy
