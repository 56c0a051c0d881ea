// Adam (Kingma and Ba 2015) and AdamW (Loshchilov and Hutter 2019), as PyTorch does them: each parameter moves by the
// mean of its recent gradients over the root of the mean of their squares, both freed of their start at zero,
//   m = beta1 * m + (1 - beta1) * g      s = beta2 * s + (1 - beta2) * g^2
//   p -= rate * m / (1 - beta1^steps) / (sqrt(s / (1 - beta2^steps)) + epsilon)
// Adam adds weight_decay * p to g; AdamW lets p shrink by rate * weight_decay * p besides.
#pragma once

#include "convoy/optim/optimizer.h"

namespace convoy {

class Adam : public Optimizer {
 public:
  Adam(const OptimizerOptions& options, std::size_t arena_floats, DecayRanges decay);

 private:
  void prepare(double learning_rate) override;
  void update_stretch(const Stretch& stretch) const override;

  OptimizerOptions options_;
  float stride_ = 0;     // rate / (1 - beta1^steps)
  float widening_ = 0;   // 1 / sqrt(1 - beta2^steps)
  float shrinkage_ = 0;  // rate * weight_decay
};

}  // namespace convoy
