#include "convoy/optim/sgd.h"

#include <utility>

#include "convoy/optim/vector_loop.h"

namespace convoy {
namespace {

CONVOY_CLONES void descend(std::int64_t count, float* __restrict p, const float* __restrict g, float scale, float decay,
                           float rate) {
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

}  // namespace convoy
