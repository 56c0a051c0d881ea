#include "convoy/sync/divided_slices.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "convoy/comm/thread/thread_world.h"

namespace convoy {
namespace {

constexpr float kOld = -1;

// Two divided slices around one that is not. Of the first, ranks have unequal parts and the last one has none.
TEST(DividedSlices, EveryRankGetsThePartsOfAll) {
  const std::vector<DividedSlice> slices = {
      {.name = "a", .slice = {.offset = 0, .count = 16}, .parts = {{{0, 5}, {12, 1}}, {{5, 3}, {13, 2}}, {}}},
      {.name = "b", .slice = {.offset = 20, .count = 6}, .parts = {{{20, 2}}, {{22, 2}}, {{24, 2}}}}};
  run_as_threads({.ranks = 3}, [&](Transport& transport) {
    Communicator communicator(transport);
    std::vector<float> expected(28, kOld);
    std::vector<float> values(28, kOld);
    for (const DividedSlice& divided : slices) {
      for (std::size_t rank = 0; rank < divided.parts.size(); ++rank) {
        for (const ArenaSlice& part : divided.parts[rank]) {
          for (std::size_t i = part.offset; i < part.end(); ++i) {
            expected[i] = static_cast<float>(100 * rank + i);
            if (static_cast<int>(rank) == communicator.rank()) values[i] = expected[i];
          }
        }
      }
    }
    bring_together(communicator, slices, values);
    EXPECT_EQ(values, expected);
    EXPECT_EQ(std::ranges::count(values, kOld), 28 - 11 - 6);
  });
}

}  // namespace
}  // namespace convoy
