#include "convoy/sync/grain_tree.h"

#include <bit>

#include "convoy/base/check.h"

namespace convoy {
namespace {

void collect(const GrainRange& subtree, const GrainRange& range, std::vector<GrainRange>& found) {
  if (subtree.last <= range.first || range.last <= subtree.first) return;
  if (range.first <= subtree.first && subtree.last <= range.last) {
    found.push_back(subtree);
    return;
  }
  const int split = split_of(subtree);
  collect({subtree.first, split}, range, found);
  collect({split, subtree.last}, range, found);
}

}  // namespace

int split_of(const GrainRange& subtree) {
  CONVOY_CHECK_LT(1, subtree.count());
  return subtree.first + static_cast<int>(std::bit_floor(static_cast<unsigned>(subtree.count() - 1)));
}

bool is_subtree(int grains, const GrainRange& range) { return subtrees_of(grains, range).size() == 1; }

std::vector<GrainRange> subtrees_of(int grains, const GrainRange& range) {
  std::vector<GrainRange> found;
  collect({0, grains}, range, found);
  return found;
}

GrainRange grains_of_rank(int grains, int rank, int ranks) {
  CONVOY_CHECK_EQ(grains % ranks, 0);
  const int each = grains / ranks;
  return {rank * each, (rank + 1) * each};
}

}  // namespace convoy
