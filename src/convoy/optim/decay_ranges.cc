#include "convoy/optim/decay_ranges.h"

#include <algorithm>

#include "convoy/base/check.h"
#include "convoy/base/error.h"

namespace convoy {

DecayRanges::DecayRanges(const std::optional<std::vector<DecayRange>>& ranges, std::size_t arena_floats) {
  std::size_t last_end = 0;
  for (const DecayRange& range : ranges.value_or(std::vector<DecayRange>{{.offset = 0, .count = arena_floats}})) {
    if (range.offset < last_end || range.offset > arena_floats || range.count > arena_floats - range.offset) {
      throw UserError(
          "weight decay of {} parameters from {} on: ranges must be sorted, not overlap and lie within the arena of {}",
          range.count, range.offset, arena_floats);
    }
    last_end = range.offset + range.count;
    bounds_.push_back(range.offset);
    bounds_.push_back(last_end);
  }
  bounds_.push_back(arena_floats);
}

DecayRanges::Stretch DecayRanges::at(std::size_t offset) const {
  const auto end = std::ranges::upper_bound(bounds_, offset);
  CONVOY_CHECK(end != bounds_.end());
  return {.decays = (end - bounds_.begin()) % 2 == 1, .end = *end};
}

}  // namespace convoy
