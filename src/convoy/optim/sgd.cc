#include "convoy/optim/update_rules.h"

#include <utility>

#include "convoy/optim/vector_loop.h"

namespace convoy {
namespace {

CONVOY_VECTOR_CLONES void descend(std::int64_t count, float* __restrict p, const float* __restrict g, float scale,
                                  float decay, float rate) {
  for (std::int64_t i = 0; i < count; ++i) {
    p[i] -= rate * (scale * g[i] + decay * p[i]);
  }
}

}  // namespace

Sgd::Sgd(const OptimizerOptions& options, std::size_t arena_floats, DecayRanges decay)
    : Optimizer({}, arena_floats, std::move(decay)), weight_decay_(static_cast<float>(options.weight_decay)) {}

void Sgd::prepare(double learning_rate) { rate_ = static_cast<float>(learning_rate); }

void Sgd::update_stretch(const Stretch& stretch) const {
  descend(stretch.count, stretch.parameters, stretch.gradients, stretch.gradient_scale,
          stretch.decays ? weight_decay_ : 0.0F, rate_);
}

namespace {

struct MomentumFactors {
  float scale;
  float decay;
  float momentum;
  float rate;
};

CONVOY_VECTOR_CLONES void follow(std::int64_t count, float* __restrict p, const float* __restrict g,
                                 float* __restrict v, MomentumFactors f) {
  for (std::int64_t i = 0; i < count; ++i) {
    const float gradient = f.scale * g[i] + f.decay * p[i];
    const float velocity = f.momentum * v[i] + gradient;
    v[i] = velocity;
    p[i] -= f.rate * velocity;
  }
}

CONVOY_VECTOR_CLONES void look_ahead(std::int64_t count, float* __restrict p, const float* __restrict g,
                                     float* __restrict v, MomentumFactors f) {
  for (std::int64_t i = 0; i < count; ++i) {
    const float gradient = f.scale * g[i] + f.decay * p[i];
    const float velocity = f.momentum * v[i] + gradient;
    v[i] = velocity;
    p[i] -= f.rate * (gradient + f.momentum * velocity);
  }
}

}  // namespace

Momentum::Momentum(const OptimizerOptions& options, std::size_t arena_floats, DecayRanges decay)
    : Optimizer({"velocity"}, arena_floats, std::move(decay)),
      nesterov_(options.kind == OptimizerKind::nesterov),
      momentum_(static_cast<float>(options.momentum)),
      weight_decay_(static_cast<float>(options.weight_decay)) {}

void Momentum::prepare(double learning_rate) { rate_ = static_cast<float>(learning_rate); }

void Momentum::update_stretch(const Stretch& stretch) const {
  const MomentumFactors by = {.scale = stretch.gradient_scale,
                              .decay = stretch.decays ? weight_decay_ : 0.0F,
                              .momentum = momentum_,
                              .rate = rate_};
  const auto pass = nesterov_ ? look_ahead : follow;
  pass(stretch.count, stretch.parameters, stretch.gradients, stretch.states[0], by);
}

}  // namespace convoy
