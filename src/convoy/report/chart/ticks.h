// Where the ticks of an axis are: round numbers, not too many.
#pragma once

#include <vector>

namespace convoy::report {

// The smallest of 1, 2 and 5 times a power of ten of which at most `max_count` steps fit into `range`. Both are
// positive.
[[nodiscard]] double nice_step(double range, int max_count);

// The multiples of `step` in [low, high], ends included.
[[nodiscard]] std::vector<double> multiples_in(double low, double high, double step);

// Powers of `base` in [low, high], thinned to at most about `max_count`; where there are fewer than three, 1, 2 and 5
// times powers of ten; where those are fewer than two, multiples of a nice step. 0 < low < high.
[[nodiscard]] std::vector<double> log_ticks(double base, double low, double high, int max_count);

}  // namespace convoy::report
