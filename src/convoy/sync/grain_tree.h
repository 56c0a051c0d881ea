// The order in which grains, fixed parts of the global batch, are summed: a binary tree that depends on their number
// alone. Ranks that have all grains of a subtree sum it by themselves, so the result does not depend on who has which.
#pragma once

#include <vector>

namespace convoy {

// Grains `first` to before `last`.
struct GrainRange {
  int first = 0;
  int last = 0;

  [[nodiscard]] int count() const { return last - first; }
  bool operator==(const GrainRange&) const = default;
};

// Where a subtree of more than one grain is parted: its left part is the largest power of two that leaves something.
[[nodiscard]] int split_of(const GrainRange& subtree);

// Whether the range is a subtree of the tree of `grains`.
[[nodiscard]] bool is_subtree(int grains, const GrainRange& range);

// The largest subtrees that make up the range, in order.
[[nodiscard]] std::vector<GrainRange> subtrees_of(int grains, const GrainRange& range);

// What rank `rank` of `ranks` computes; `ranks` divides `grains`.
[[nodiscard]] GrainRange grains_of_rank(int grains, int rank, int ranks);

}  // namespace convoy
