#include "convoy/checkpoint/retention.h"

#include <algorithm>

#include "convoy/base/check.h"

namespace convoy {

std::vector<std::int64_t> superseded_steps(std::vector<std::int64_t> steps, std::int64_t saved, int keep) {
  CONVOY_CHECK_LE(1, keep);
  std::ranges::sort(steps);
  const auto beyond = std::ranges::upper_bound(steps, saved);
  const auto kept = std::min<std::ptrdiff_t>(beyond - steps.begin(), keep);
  steps.erase(beyond - kept, beyond);
  return steps;
}

}  // namespace convoy
