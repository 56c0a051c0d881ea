#include "convoy/optim/update_rules.h"

#include <cmath>
#include <utility>

#include "convoy/optim/vector_loop.h"

namespace convoy {
namespace {

struct AdamFactors {
  float scale;
  float decay;      // added to the gradient (adam)
  float shrinkage;  // subtracted from the parameter, past the moments (adamw)
  float keep_first;
  float take_first;
  float keep_second;
  float take_second;
  float stride;
  float widening;
  float epsilon;
};

// Step and decay are subtracted together: multiplying p by a factor just below 1 would round a small decay away.
CONVOY_VECTOR_CLONES void adapt_adam(std::int64_t count, float* __restrict p, const float* __restrict g,
                                     float* __restrict m, float* __restrict s, AdamFactors f) {
  for (std::int64_t i = 0; i < count; ++i) {
    const float gradient = f.scale * g[i] + f.decay * p[i];
    const float first = f.keep_first * m[i] + f.take_first * gradient;
    const float second = f.keep_second * s[i] + f.take_second * (gradient * gradient);
    m[i] = first;
    s[i] = second;
    p[i] -= f.stride * first / (std::sqrt(second) * f.widening + f.epsilon) + f.shrinkage * p[i];
  }
}

}  // namespace

Adam::Adam(const OptimizerOptions& options, std::size_t arena_floats, DecayRanges decay)
    : Optimizer({"first_moment", "second_moment"}, arena_floats, std::move(decay)), options_(options) {}

void Adam::prepare(double learning_rate) {
  const auto step = static_cast<double>(steps());
  stride_ = static_cast<float>(learning_rate / (1 - std::pow(options_.beta1, step)));
  widening_ = static_cast<float>(1 / std::sqrt(1 - std::pow(options_.beta2, step)));
  shrinkage_ = static_cast<float>(learning_rate * options_.weight_decay);
}

void Adam::update_stretch(const Stretch& stretch) const {
  const bool decoupled = options_.kind == OptimizerKind::adamw;
  const AdamFactors by = {.scale = stretch.gradient_scale,
                          .decay = stretch.decays && !decoupled ? static_cast<float>(options_.weight_decay) : 0.0F,
                          .shrinkage = stretch.decays && decoupled ? shrinkage_ : 0.0F,
                          .keep_first = static_cast<float>(options_.beta1),
                          .take_first = static_cast<float>(1 - options_.beta1),
                          .keep_second = static_cast<float>(options_.beta2),
                          .take_second = static_cast<float>(1 - options_.beta2),
                          .stride = stride_,
                          .widening = widening_,
                          .epsilon = static_cast<float>(epsilon_of(options_))};
  adapt_adam(stretch.count, stretch.parameters, stretch.gradients, stretch.states[0], stretch.states[1], by);
}

}  // namespace convoy
