// Finds out which of several implementations is the fastest, on a machine that may be disturbed at any moment.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace convoy {

struct RaceTimes {
  std::vector<double> seconds;  // the shortest run of each entrant
  // Whether two runs agree for each entrant that may be the fastest. If not, the machine was disturbed all the time,
  // and another race may end otherwise.
  bool settled = true;

  // Those of the fastest.
  [[nodiscard]] double best() const;
};

// Runs an entrant once and returns its seconds.
using TimeOnce = std::function<double(std::size_t entrant)>;

// The entrants take turns, so that a disturbance of the machine affects all of them. They leave the race once they are
// clearly slower than the best, and it ends when the times of the others are settled, or after a tenth of a second or
// so.
[[nodiscard]] RaceTimes race(std::size_t entrants, const TimeOnce& run);

}  // namespace convoy
