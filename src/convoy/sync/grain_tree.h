// The order in which grains, fixed parts of the global batch, are summed: a binary tree that depends only on their
// number. A rank that has all grains of a subtree sums it by itself, so the result does not depend on which rank has
// which grains.
#pragma once

#include <vector>

namespace convoy {

// Grains from `first` up to, but not including, `last`.
struct GrainRange {
  int first = 0;
  int last = 0;

  [[nodiscard]] int count() const { return last - first; }
  bool operator==(const GrainRange&) const = default;
};

// Where a subtree of more than one grain is split: the left part is the largest power of two that leaves something for
// the right one.
[[nodiscard]] int split_of(const GrainRange& subtree);

// Whether the range is a subtree of the tree over `grains` grains.
[[nodiscard]] bool is_subtree(int grains, const GrainRange& range);

// The largest subtrees that together form the range, in order.
[[nodiscard]] std::vector<GrainRange> subtrees_of(int grains, const GrainRange& range);

// The grains that rank `rank` of `ranks` computes; `ranks` divides `grains`.
[[nodiscard]] GrainRange grains_of_rank(int grains, int rank, int ranks);

}  // namespace convoy
