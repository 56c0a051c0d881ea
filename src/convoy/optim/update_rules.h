// The update rules, one class each. Comments say what a step does to a parameter p with the gradient g.
#pragma once

#include "convoy/optim/optimizer.h"

namespace convoy {

// Plain stochastic gradient descent: p -= rate * (g + weight_decay * p). It remembers nothing.
class Sgd : public Optimizer {
 public:
  Sgd(const OptimizerOptions& options, std::size_t arena_floats, DecayRanges decay);

 private:
  void prepare(double learning_rate) override;
  void update_stretch(const Stretch& stretch) const override;

  float weight_decay_;
  float rate_ = 0;
};

// Gradient descent with momentum, as in PyTorch (dampening 0): the velocity accumulates gradients,
//   v = momentum * v + g + weight_decay * p
// and the parameter follows the velocity or, with Nesterov's momentum, looks ahead to where the velocity will be:
//   p -= rate * v      or      p -= rate * (g + weight_decay * p + momentum * v)
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

// Adam (Kingma and Ba 2015) and AdamW (Loshchilov and Hutter 2019), as in PyTorch: each parameter moves by the mean of
// its recent gradients divided by the root of the mean of their squares. Both means start at zero and are corrected for
// that,
//   m = beta1 * m + (1 - beta1) * g      s = beta2 * s + (1 - beta2) * g^2
//   p -= rate * m / (1 - beta1^steps) / (sqrt(s / (1 - beta2^steps)) + epsilon)
// Adam adds weight_decay * p to g; AdamW subtracts rate * weight_decay * p from p instead.
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

// Adadelta (Zeiler 2012), as in PyTorch: the size of each parameter's step is that of its recent steps relative to its
// recent gradients,
//   s = rho * s + (1 - rho) * g^2      d = sqrt(u + epsilon) / sqrt(s + epsilon) * g
//   u = rho * u + (1 - rho) * d^2      p -= rate * d
// with g = gradient + weight_decay * p. The rate is 1 in the paper.
class Adadelta : public Optimizer {
 public:
  Adadelta(const OptimizerOptions& options, std::size_t arena_floats, DecayRanges decay);

 private:
  void prepare(double learning_rate) override;
  void update_stretch(const Stretch& stretch) const override;

  OptimizerOptions options_;
  float rate_ = 0;
};

// LARS (You, Gitman and Ginsburg 2017): momentum whose step in each layer of weights w is in proportion to their norm,
//   v = momentum * v + rate * trust * |w| / (|g| + weight_decay * |w|) * (g + weight_decay * w)      w -= v
// Parameters outside all layers, and layers of norm zero, take the step without the factor trust * |w| / (...).
class Lars : public Optimizer {
 public:
  Lars(const OptimizerOptions& options, std::size_t arena_floats, DecayRanges decay, std::vector<ArenaSlice> layers);

 private:
  void prepare(double learning_rate) override { rate_ = learning_rate; }
  [[nodiscard]] std::array<double, 2> measure_stretch(const Stretch& stretch) const override;
  void update_stretch(const Stretch& stretch) const override;

  OptimizerOptions options_;
  double rate_ = 0;
};

// LAMB (You et al. 2020): Adam whose step in each layer of weights w is in proportion to their norm,
//   m = beta1 * m + (1 - beta1) * g      s = beta2 * s + (1 - beta2) * g^2
//   r = m / (1 - beta1^steps) / (sqrt(s / (1 - beta2^steps)) + epsilon) + weight_decay * w
//   w -= rate * |w| / |r| * r
// Parameters outside all layers, and layers of norm zero, take the step without the factor |w| / |r|. measure() is what
// updates m and s.
class Lamb : public Optimizer {
 public:
  Lamb(const OptimizerOptions& options, std::size_t arena_floats, DecayRanges decay, std::vector<ArenaSlice> layers);

 private:
  void prepare(double learning_rate) override;
  [[nodiscard]] std::array<double, 2> measure_stretch(const Stretch& stretch) const override;
  void update_stretch(const Stretch& stretch) const override;

  OptimizerOptions options_;
  double rate_ = 0;
  float mean_ = 0;      // 1 / (1 - beta1^steps)
  float widening_ = 0;  // 1 / sqrt(1 - beta2^steps)
};

}  // namespace convoy
