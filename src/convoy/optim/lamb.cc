#include <algorithm>
#include <cmath>
#include <utility>

#include "convoy/optim/gradient_norm.h"
#include "convoy/optim/update_rules.h"
#include "convoy/optim/vector_loop.h"

namespace convoy {
namespace {

// As in gradient_norm(): a fixed number of partial sums, and chunks that threads sum separately, so that the order of
// additions is always the same.
constexpr std::int64_t kLambLanes = 32;
constexpr std::int64_t kMostLambPieces = 512;
constexpr std::int64_t kShortestLambPiece = 16384;

struct LambFactors {
  float scale;
  float decay;
  float keep_first;
  float take_first;
  float keep_second;
  float take_second;
  float mean;
  float widening;
  float epsilon;
  float rate;  // learning rate of the layer
};

float direction(float p, float m, float s, const LambFactors& f) {
  return f.mean * m / (std::sqrt(s) * f.widening + f.epsilon) + f.decay * p;
}

// Updates both moments and returns the sum of squares of the resulting directions.
CONVOY_VECTOR_CLONES double gather_moments(std::int64_t count, const float* __restrict p, const float* __restrict g,
                                           float* __restrict m, float* __restrict s, LambFactors f) {
  for (std::int64_t i = 0; i < count; ++i) {
    const float gradient = f.scale * g[i];
    m[i] = f.keep_first * m[i] + f.take_first * gradient;
    s[i] = f.keep_second * s[i] + f.take_second * (gradient * gradient);
  }
  std::array<double, kLambLanes> sums{};
  const std::int64_t whole = count / kLambLanes * kLambLanes;
  for (std::int64_t i = 0; i < whole; i += kLambLanes) {
    for (std::int64_t lane = 0; lane < kLambLanes; ++lane) {
      const double step = direction(p[i + lane], m[i + lane], s[i + lane], f);
      sums[static_cast<std::size_t>(lane)] += step * step;
    }
  }
  for (std::int64_t i = whole; i < count; ++i) {
    const double step = direction(p[i], m[i], s[i], f);
    sums[static_cast<std::size_t>(i - whole)] += step * step;
  }
  double total = 0;
  for (const double sum : sums) total += sum;
  return total;
}

CONVOY_VECTOR_CLONES void move_layer(std::int64_t count, float* __restrict p, const float* __restrict m,
                                     const float* __restrict s, LambFactors f) {
  for (std::int64_t i = 0; i < count; ++i) p[i] -= f.rate * direction(p[i], m[i], s[i], f);
}

LambFactors factors_of(const OptimizerOptions& options, bool decays) {
  return {.scale = 1,
          .decay = decays ? static_cast<float>(options.weight_decay) : 0.0F,
          .keep_first = static_cast<float>(options.beta1),
          .take_first = static_cast<float>(1 - options.beta1),
          .keep_second = static_cast<float>(options.beta2),
          .take_second = static_cast<float>(1 - options.beta2),
          .mean = 1,
          .widening = 1,
          .epsilon = static_cast<float>(epsilon_of(options)),
          .rate = 0};
}

}  // namespace

Lamb::Lamb(const OptimizerOptions& options, std::size_t arena_floats, DecayRanges decay, std::vector<ArenaSlice> layers)
    : Optimizer({"first_moment", "second_moment"}, arena_floats, std::move(decay), std::move(layers)),
      options_(options) {}

void Lamb::prepare(double learning_rate) {
  const auto step = static_cast<double>(steps());
  rate_ = learning_rate;
  mean_ = static_cast<float>(1 / (1 - std::pow(options_.beta1, step)));
  widening_ = static_cast<float>(1 / std::sqrt(1 - std::pow(options_.beta2, step)));
}

std::array<double, 2> Lamb::measure_stretch(const Stretch& stretch) const {
  LambFactors by = factors_of(options_, stretch.decays);
  by.scale = stretch.gradient_scale;
  by.mean = mean_;
  by.widening = widening_;
  const std::int64_t even = (stretch.count + kMostLambPieces - 1) / kMostLambPieces;
  const std::int64_t length = std::max(kShortestLambPiece, (even + kLambLanes - 1) / kLambLanes * kLambLanes);
  std::array<double, kMostLambPieces> sums{};
  parallel_chunks(stretch.count, length, [&](std::int64_t first, std::int64_t last) {
    sums[static_cast<std::size_t>(first / length)] =
        gather_moments(last - first, stretch.parameters + first, stretch.gradients + first, stretch.states[0] + first,
                       stretch.states[1] + first, by);
  });
  double total = 0;
  for (const double sum : sums) total += sum;
  const double weights = gradient_norm({stretch.parameters, static_cast<std::size_t>(stretch.count)});
  return {weights * weights, total};
}

void Lamb::update_stretch(const Stretch& stretch) const {
  LambFactors by = factors_of(options_, stretch.decays);
  by.mean = mean_;
  by.widening = widening_;
  double rate = rate_;
  if (stretch.layer != kNoLayer) {
    const auto [weights, steps_norm] = norms_of(stretch.layer);
    if (weights > 0 && steps_norm > 0) rate *= weights / steps_norm;
  }
  by.rate = static_cast<float>(rate);
  move_layer(stretch.count, stretch.parameters, stretch.states[0], stretch.states[1], by);
}

}  // namespace convoy
