// The relative spread of a quantity over the runs of a study. Two runs of a point say little of its spread, but all
// points together say much, where they agree.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace convoy::study {

struct PooledSpread {
  double deviation = 0;      // of the logarithms, which is the CV where that is small
  double freedom = 0;        // degrees of freedom: runs beyond the first of each pooled point
  std::vector<bool> agrees;  // for each point: whether it may go by the pooled spread; single runs may
};

// `points` are the values of each point's runs, all positive. Spreads agree when none differs from that of all others
// together by an F test of the variances of the logarithms, at 5 % over all points (Bonferroni); the point that differs
// most is left out until they do. Nothing with fewer than two degrees of freedom: Student's t would be 12.7.
[[nodiscard]] std::optional<PooledSpread> pool_spread(std::span<const std::vector<double>> points);

}  // namespace convoy::study
