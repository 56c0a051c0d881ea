#include "convoy/optim/lr_range.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "convoy/base/error.h"

namespace convoy {
namespace {

constexpr int kFewestSteps = 10;
constexpr double kLeastFall = 0.01;

void check_options(const LrRangeOptions& options) {
  if (!(options.first_rate > 0 && std::isfinite(options.first_rate))) {
    throw UserError("first rate must be greater than 0, got {}", options.first_rate);
  }
  if (!(options.last_rate > options.first_rate && std::isfinite(options.last_rate))) {
    throw UserError("last rate must be greater than the first, {}; got {}", options.first_rate, options.last_rate);
  }
  if (options.steps < kFewestSteps) throw UserError("steps must be at least {}, got {}", kFewestSteps, options.steps);
  if (!(options.smoothing >= 0 && options.smoothing < 1)) {
    throw UserError("smoothing must be at least 0 and less than 1, got {}", options.smoothing);
  }
  if (!(options.stop_factor > 1)) throw UserError("stop factor must be greater than 1, got {}", options.stop_factor);
}

// How much the smoothed loss grows per step around point i, which must have neighbours on both sides.
double slope(const std::vector<LrRangePoint>& points, std::size_t i) {
  return (points[i + 1].smoothed - points[i - 1].smoothed) / 2;
}

}  // namespace

double SmoothedLoss::add(double loss) {
  sum_ = smoothing_ * sum_ + (1 - smoothing_) * loss;
  weight_ = smoothing_ * weight_ + (1 - smoothing_);
  return sum_ / weight_;
}

LrRangeTest::LrRangeTest(const LrRangeOptions& options)
    : options_(options), smoothed_(options.smoothing), best_(std::numeric_limits<double>::infinity()) {
  check_options(options);
}

double LrRangeTest::next_rate() const {
  const double growth = options_.last_rate / options_.first_rate;
  return options_.first_rate * std::pow(growth, static_cast<double>(points_.size()) / (options_.steps - 1));
}

void LrRangeTest::add(double loss) {
  if (done_) throw UserError("the range test is done after {} steps: ask done() before each", points_.size());
  const LrRangePoint point = {.rate = next_rate(), .loss = loss, .smoothed = smoothed_.add(loss)};
  points_.push_back(point);
  best_ = std::min(best_, point.smoothed);
  const bool left = !std::isfinite(loss) || point.smoothed > options_.stop_factor * best_;
  done_ = left || points_.size() == static_cast<std::size_t>(options_.steps);
}

std::optional<double> LrRangeTest::suggestion() const {
  const auto first = static_cast<std::size_t>(options_.steps / 10);
  const auto lowest = std::ranges::min_element(points_, {}, &LrRangePoint::smoothed);
  const auto best = static_cast<std::size_t>(lowest - points_.begin());
  if (best <= first || lowest->smoothed > (1 - kLeastFall) * points_[first].smoothed) return std::nullopt;
  std::size_t steepest = first;
  for (std::size_t i = first + 1; i < best; ++i) {
    if (slope(points_, i) < slope(points_, steepest)) steepest = i;
  }
  return points_[steepest].rate;
}

}  // namespace convoy
