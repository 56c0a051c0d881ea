#include <utility>

#include "convoy/optim/gradient_norm.h"
#include "convoy/optim/update_rules.h"
#include "convoy/optim/vector_loop.h"

namespace convoy {
namespace {

struct LarsFactors {
  float scale;
  float decay;
  float momentum;
  float rate;  // learning rate of the layer
};

CONVOY_VECTOR_CLONES void follow_layer(std::int64_t count, float* __restrict p, const float* __restrict g,
                                       float* __restrict v, LarsFactors f) {
  for (std::int64_t i = 0; i < count; ++i) {
    const float gradient = f.scale * g[i] + f.decay * p[i];
    const float velocity = f.momentum * v[i] + f.rate * gradient;
    v[i] = velocity;
    p[i] -= velocity;
  }
}

}  // namespace

Lars::Lars(const OptimizerOptions& options, std::size_t arena_floats, DecayRanges decay, std::vector<ArenaSlice> layers)
    : Optimizer({"velocity"}, arena_floats, std::move(decay), std::move(layers)), options_(options) {}

std::array<double, 2> Lars::measure_stretch(const Stretch& stretch) const {
  if (stretch.layer == kNoLayer) return {};
  const auto count = static_cast<std::size_t>(stretch.count);
  const double weights = gradient_norm({stretch.parameters, count});
  const double gradients = gradient_norm({stretch.gradients, count}) * stretch.gradient_scale;
  return {weights * weights, gradients * gradients};
}

void Lars::update_stretch(const Stretch& stretch) const {
  const double decay = stretch.decays ? options_.weight_decay : 0;
  double rate = rate_;
  if (stretch.layer != kNoLayer) {
    const auto [weights, gradients] = norms_of(stretch.layer);
    if (weights > 0 && gradients > 0) rate *= options_.trust * weights / (gradients + decay * weights);
  }
  follow_layer(stretch.count, stretch.parameters, stretch.gradients, stretch.states[0],
               {.scale = stretch.gradient_scale,
                .decay = static_cast<float>(decay),
                .momentum = static_cast<float>(options_.momentum),
                .rate = static_cast<float>(rate)});
}

}  // namespace convoy
