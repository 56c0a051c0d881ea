#include "convoy/optim/update_rules.h"

#include <cmath>
#include <utility>

#include "convoy/optim/vector_loop.h"

namespace convoy {
namespace {

struct AdaDeltaFactors {
  float scale;
  float decay;
  float keep;
  float take;
  float epsilon;
  float rate;
};

CONVOY_VECTOR_CLONES void adapt_adadelta(std::int64_t count, float* __restrict p, const float* __restrict g,
                                         float* __restrict s, float* __restrict u, AdaDeltaFactors f) {
  for (std::int64_t i = 0; i < count; ++i) {
    const float gradient = f.scale * g[i] + f.decay * p[i];
    const float gradients = f.keep * s[i] + f.take * (gradient * gradient);
    const float delta = std::sqrt(u[i] + f.epsilon) / std::sqrt(gradients + f.epsilon) * gradient;
    s[i] = gradients;
    u[i] = f.keep * u[i] + f.take * (delta * delta);
    p[i] -= f.rate * delta;
  }
}

}  // namespace

Adadelta::Adadelta(const OptimizerOptions& options, std::size_t arena_floats, DecayRanges decay)
    : Optimizer({"squared_gradient", "squared_update"}, arena_floats, std::move(decay)), options_(options) {}

void Adadelta::prepare(double learning_rate) { rate_ = static_cast<float>(learning_rate); }

void Adadelta::update_stretch(const Stretch& stretch) const {
  const AdaDeltaFactors by = {.scale = stretch.gradient_scale,
                              .decay = stretch.decays ? static_cast<float>(options_.weight_decay) : 0.0F,
                              .keep = static_cast<float>(options_.rho),
                              .take = static_cast<float>(1 - options_.rho),
                              .epsilon = static_cast<float>(epsilon_of(options_)),
                              .rate = rate_};
  adapt_adadelta(stretch.count, stretch.parameters, stretch.gradients, stretch.states[0], stretch.states[1], by);
}

}  // namespace convoy
