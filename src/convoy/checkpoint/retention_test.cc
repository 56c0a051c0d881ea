#include "convoy/checkpoint/retention.h"

#include <gtest/gtest.h>

namespace convoy {
namespace {

using Steps = std::vector<std::int64_t>;

TEST(Retention, KeepsTheNewest) {
  EXPECT_EQ(superseded_steps({10, 20, 30, 40}, 40, 2), (Steps{10, 20}));
  EXPECT_EQ(superseded_steps({40, 10, 30, 20}, 40, 1), (Steps{10, 20, 30}));
  EXPECT_EQ(superseded_steps({10, 20}, 20, 2), Steps{});
  EXPECT_EQ(superseded_steps({10}, 10, 9), Steps{});
}

TEST(Retention, AFutureThatWasGivenUpGoes) {
  EXPECT_EQ(superseded_steps({10, 25, 30, 40}, 25, 1), (Steps{10, 30, 40}));
  EXPECT_EQ(superseded_steps({10, 25, 30, 40}, 25, 2), (Steps{30, 40}));
  EXPECT_EQ(superseded_steps({0, 5}, 0, 3), (Steps{5}));
}

}  // namespace
}  // namespace convoy
