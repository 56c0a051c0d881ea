// The update rules written element by element in double precision, from the papers and PyTorch's documentation.
#pragma once

#include <cmath>
#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

#include "convoy/optim/optimizer_options.h"

namespace convoy {

class NaiveOptimizer {
 public:
  using Decays = std::function<bool(std::size_t)>;

  NaiveOptimizer(OptimizerOptions options, const std::vector<float>& parameters, Decays decays)
      : options_(options),
        parameters_(parameters.begin(), parameters.end()),
        first_(parameters.size()),
        second_(parameters.size()),
        decays_(std::move(decays)) {}

  void step(double rate, const std::vector<float>& gradients, double scale = 1) {
    ++steps_;
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
      update(i, rate, scale * gradients[i], decays_(i) ? options_.weight_decay : 0);
    }
  }

  [[nodiscard]] const std::vector<double>& parameters() const { return parameters_; }

 private:
  void update(std::size_t i, double rate, double g, double decay) {
    double& p = parameters_[i];
    if (options_.kind == OptimizerKind::adamw) {
      p *= 1 - rate * decay;
    } else {
      g += decay * p;
    }
    p -= rate * direction(i, g);
  }

  double direction(std::size_t i, double g) {
    switch (options_.kind) {
      case OptimizerKind::sgd:
        return g;
      case OptimizerKind::momentum:
        return first_[i] = options_.momentum * first_[i] + g;
      case OptimizerKind::nesterov:
        first_[i] = options_.momentum * first_[i] + g;
        return g + options_.momentum * first_[i];
      case OptimizerKind::adam:
      case OptimizerKind::adamw:
        return adam(first_[i], second_[i], g);
      case OptimizerKind::adadelta:
        return adadelta(first_[i], second_[i], g);
      case OptimizerKind::lars:
      case OptimizerKind::lamb:
        break;  // these rules do not treat each element by itself
    }
    return 0;
  }

  double adam(double& m, double& s, double g) const {
    m = options_.beta1 * m + (1 - options_.beta1) * g;
    s = options_.beta2 * s + (1 - options_.beta2) * g * g;
    const double mean = m / (1 - std::pow(options_.beta1, steps_));
    const double square = s / (1 - std::pow(options_.beta2, steps_));
    return mean / (std::sqrt(square) + options_.epsilon.value());
  }

  double adadelta(double& s, double& u, double g) const {
    const double epsilon = options_.epsilon.value();
    s = options_.rho * s + (1 - options_.rho) * g * g;
    const double delta = std::sqrt((u + epsilon) / (s + epsilon)) * g;
    u = options_.rho * u + (1 - options_.rho) * delta * delta;
    return delta;
  }

  OptimizerOptions options_;
  std::vector<double> parameters_;
  std::vector<double> first_;
  std::vector<double> second_;
  Decays decays_;
  int steps_ = 0;
};

}  // namespace convoy
