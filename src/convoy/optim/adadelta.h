// Adadelta (Zeiler 2012), as PyTorch does it: each parameter's step has the size of its recent steps relative to its
// recent gradients,
//   s = rho * s + (1 - rho) * g^2      d = sqrt(u + epsilon) / sqrt(s + epsilon) * g
//   u = rho * u + (1 - rho) * d^2      p -= rate * d
// with g = gradient + weight_decay * p. The rate is 1 in the paper.
#pragma once

#include "convoy/optim/optimizer.h"

namespace convoy {

class Adadelta : public Optimizer {
 public:
  Adadelta(const OptimizerOptions& options, std::size_t arena_floats, DecayRanges decay);

 private:
  void prepare(double learning_rate) override;
  void update_stretch(const Stretch& stretch) const override;

  OptimizerOptions options_;
  float rate_ = 0;
};

}  // namespace convoy
