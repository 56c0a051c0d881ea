#include "convoy/data/augment/mixing.h"

#include <algorithm>
#include <cmath>

#include "convoy/base/error.h"

namespace convoy::data {
namespace {

// With larger values the share would practically always be one half.
constexpr float kLargestAlpha = 100;

void require_alpha(const char* name, float alpha) {
  if (alpha >= 0 && alpha <= kLargestAlpha) return;
  throw UserError("{} must be from 0 to {}, got {}", name, kLargestAlpha, alpha);
}

double above_zero(Rng& rng) { return 1.0 - static_cast<double>(rng.uniform()); }

// Marsaglia and Tsang's method (2000), with logarithms because for small parameters the numbers themselves would round
// to zero.
double log_of_gamma(double alpha, Rng& rng) {
  if (alpha < 1) return log_of_gamma(alpha + 1, rng) + std::log(above_zero(rng)) / alpha;
  const double d = alpha - 1.0 / 3;
  const double c = 1 / std::sqrt(9 * d);
  while (true) {
    const double x = static_cast<double>(rng.normal());
    const double v = std::pow(1 + c * x, 3);
    if (v <= 0) continue;
    if (std::log(above_zero(rng)) < 0.5 * x * x + d * (1 - v + std::log(v))) return std::log(d) + std::log(v);
  }
}

Mixture draw_rectangle(float share, int height, int width, Rng& rng) {
  const float side = std::sqrt(share);  // as a share of the image's sides
  const auto tall = static_cast<int>(std::lround(side * static_cast<float>(height)));
  const auto wide = static_cast<int>(std::lround(side * static_cast<float>(width)));
  const int top = static_cast<int>(rng.below(static_cast<std::uint32_t>(height))) - tall / 2;
  const int left = static_cast<int>(rng.below(static_cast<std::uint32_t>(width))) - wide / 2;
  Mixture mixture{.top = std::clamp(top, 0, height),
                  .bottom = std::clamp(top + tall, 0, height),
                  .left = std::clamp(left, 0, width),
                  .right = std::clamp(left + wide, 0, width)};
  const int pixels = (mixture.bottom - mixture.top) * (mixture.right - mixture.left);
  mixture.share = static_cast<float>(pixels) / static_cast<float>(height * width);
  return mixture;
}

}  // namespace

void validate(const MixOptions& options) {
  require_alpha("mixup", options.mixup);
  require_alpha("cutmix", options.cutmix);
}

float draw_beta(float alpha, Rng& rng) {
  const double a = log_of_gamma(alpha, rng);
  const double b = log_of_gamma(alpha, rng);
  return static_cast<float>(1 / (1 + std::exp(b - a)));
}

Mixture draw_mixture(const MixOptions& options, int height, int width, Rng& rng) {
  if (!options.any()) return {};
  const bool both = options.mixup > 0 && options.cutmix > 0;
  const bool cuts = both ? rng.below(2) == 1 : options.cutmix > 0;
  const float share = draw_beta(cuts ? options.cutmix : options.mixup, rng);
  return cuts ? draw_rectangle(share, height, width, rng) : Mixture{.share = share};
}

void mix(const Mixture& mixture, const Shape& shape, std::span<const float> other, std::span<float> values) {
  if (mixture.is_blend()) {
    for (std::size_t i = 0; i < values.size(); ++i) values[i] += mixture.share * (other[i] - values[i]);
    return;
  }
  for (std::int64_t c = 0; c < shape[0]; ++c) {
    for (std::int64_t y = mixture.top; y < mixture.bottom; ++y) {
      const std::int64_t row = (c * shape[1] + y) * shape[2];
      std::copy(other.data() + row + mixture.left, other.data() + row + mixture.right,
                values.data() + row + mixture.left);
    }
  }
}

}  // namespace convoy::data
