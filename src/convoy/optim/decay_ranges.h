// Which parameters weight decay applies to: weights usually, not biases and not batch norm.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace convoy {

// A contiguous stretch of the parameter arena that decays, in floats.
struct DecayRange {
  std::size_t offset = 0;
  std::size_t count = 0;
};

class DecayRanges {
 public:
  // Everything decays when no ranges are given, nothing when there are none in the list. Throws
  // UserError unless they are sorted, lie within the arena and do not overlap.
  DecayRanges(const std::optional<std::vector<DecayRange>>& ranges, std::size_t arena_floats);

  struct Stretch {
    bool decays;
    std::size_t end;
  };
  // Whether the element at `offset` decays, and up to where (exclusive) all others after it do likewise. The last
  // stretch ends with the arena.
  [[nodiscard]] Stretch at(std::size_t offset) const;

 private:
  std::vector<std::size_t> bounds_;  // ascending; stretches in turn without and with decay, the first from 0 without
};

}  // namespace convoy
