// Plain stochastic gradient descent: p -= rate * (g + weight_decay * p). It remembers nothing.
#pragma once

#include "convoy/optim/optimizer.h"

namespace convoy {

class Sgd : public Optimizer {
 public:
  Sgd(const OptimizerOptions& options, std::size_t arena_floats, DecayRanges decay);

 private:
  void prepare(double learning_rate) override;
  void update_stretch(const Stretch& stretch) const override;

  float weight_decay_;
  float rate_ = 0;
};

}  // namespace convoy
