#include "convoy/comm/algorithm.h"

#include <gtest/gtest.h>

#include "convoy/base/error.h"
#include "convoy/base/throws_with_test.h"
#include "convoy/comm/cut.h"

namespace convoy {
namespace {

TEST(Algorithm, HasItsNameBothWays) {
  EXPECT_EQ(name_of(Algorithm::recursive_doubling), "recursive-doubling");
  EXPECT_EQ(algorithm_named("hierarchical"), Algorithm::hierarchical);
  for (const std::string& name : algorithm_names()) {
    EXPECT_EQ(name_of(algorithm_named(name)), name);
  }
}

TEST(Algorithm, AMisspeltNameGetsTheNearest) {
  EXPECT_TRUE(throws_with<UserError>([] { (void)algorithm_named("rabenseifer"); }, "did you mean \"rabenseifner\"?"));
  EXPECT_TRUE(throws_with<UserError>([] { (void)algorithm_named("quantum"); }, "there are mpi, ring"));
}

TEST(Cut, SlicesCoverTheRangeAndDifferByAGrainAtMost) {
  for (const std::size_t unit : {1U, 16U}) {
    for (const std::size_t count : {0U, 1U, 15U, 16U, 17U, 100U, 1009U}) {
      for (std::size_t parts = 1; parts <= 8; ++parts) {
        EXPECT_EQ(cut_point(count, parts, 0, unit), 0U);
        EXPECT_EQ(cut_point(count, parts, parts, unit), count);
        const std::size_t first = cut_point(count, parts, 1, unit);
        for (std::size_t part = 0; part < parts; ++part) {
          const std::size_t begin = cut_point(count, parts, part, unit);
          const std::size_t end = cut_point(count, parts, part + 1, unit);
          EXPECT_LE(begin, end);
          EXPECT_LE(end - begin, first);
          EXPECT_TRUE(begin % unit == 0 || begin == count);
          EXPECT_TRUE(end == count || first - (end - begin) <= unit);
        }
      }
    }
  }
}

}  // namespace
}  // namespace convoy
