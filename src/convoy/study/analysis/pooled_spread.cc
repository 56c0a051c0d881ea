#include "convoy/study/analysis/pooled_spread.h"

#include <algorithm>
#include <boost/math/distributions/fisher_f.hpp>
#include <cmath>

namespace convoy::study {
namespace {

constexpr double kLevel = 0.05;
constexpr double kLeastFreedom = 2;
// Equal to this many digits is equal: clocks do not tell more, and no spread differs from none.
constexpr double kLeastVariance = 1e-10;

// Of the logarithms around their mean.
struct Squares {
  std::size_t point = 0;
  double sum = 0;
  double freedom = 0;
};

Squares squares_of(std::size_t point, const std::vector<double>& values) {
  double mean = 0;
  for (const double value : values) mean += std::log(value) / static_cast<double>(values.size());
  Squares squares{.point = point, .freedom = static_cast<double>(values.size()) - 1};
  for (const double value : values) squares.sum += (std::log(value) - mean) * (std::log(value) - mean);
  return squares;
}

Squares total_of(const std::vector<Squares>& all) {
  Squares total;
  for (const Squares& each : all) {
    total.sum += each.sum;
    total.freedom += each.freedom;
  }
  return total;
}

// How likely such a difference of the point from all others is if there is none.
double likelihood(const Squares& each, const Squares& total) {
  const double others = std::max((total.sum - each.sum) / (total.freedom - each.freedom), kLeastVariance);
  const double own = std::max(each.sum / each.freedom, kLeastVariance);
  const boost::math::fisher_f f(each.freedom, total.freedom - each.freedom);
  const double below = boost::math::cdf(f, own / others);
  return 2 * std::min(below, 1 - below);
}

// Leaves out points until those that are left agree.
void keep_agreeing(std::vector<Squares>& kept) {
  while (kept.size() > 1) {
    const Squares total = total_of(kept);
    const auto by_likelihood = [&](const Squares& each) { return likelihood(each, total); };
    const auto oddest = std::ranges::min_element(kept, {}, by_likelihood);
    if (by_likelihood(*oddest) * static_cast<double>(kept.size()) >= kLevel) return;
    kept.erase(oddest);
  }
}

}  // namespace

std::optional<PooledSpread> pool_spread(std::span<const std::vector<double>> points) {
  std::vector<Squares> kept;
  PooledSpread pooled;
  for (std::size_t i = 0; i < points.size(); ++i) {
    pooled.agrees.push_back(points[i].size() == 1);
    if (points[i].size() > 1) kept.push_back(squares_of(i, points[i]));
  }
  keep_agreeing(kept);
  const Squares total = total_of(kept);
  if (total.freedom < kLeastFreedom) return std::nullopt;
  for (const Squares& each : kept) pooled.agrees[each.point] = true;
  pooled.deviation = std::sqrt(total.sum / total.freedom);
  pooled.freedom = total.freedom;
  return pooled;
}

}  // namespace convoy::study
