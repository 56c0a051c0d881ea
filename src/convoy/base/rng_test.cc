#include "convoy/base/rng.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <vector>

#include "convoy/base/error.h"

namespace convoy {
namespace {

// The known answers that Random123 publishes for philox4x32-10 (counter words c0..c3, key words k0, k1).
TEST(Philox, GivesThePublishedWords) {
  EXPECT_EQ(philox(0, 0, 0), (std::array<std::uint32_t, 4>{0x6627e8d5U, 0xe169c58dU, 0xbc57ac4cU, 0x9b00dbd8U}));
  EXPECT_EQ(philox(~0ULL, ~0ULL, ~0ULL),
            (std::array<std::uint32_t, 4>{0x408f276dU, 0x41c83b0eU, 0xa20bc7c6U, 0x6d5451fdU}));
  EXPECT_EQ(philox(0x299f31d0a4093822ULL, 0x0370734413198a2eULL, 0x85a308d3243f6a88ULL),
            (std::array<std::uint32_t, 4>{0xd16cfe09U, 0x94fdccebU, 0x5001e420U, 0x24126ea1U}));
}

TEST(Philox, SeedStreamAndIndexEachMatter) {
  const std::set<std::array<std::uint32_t, 4>> blocks = {
      philox(1, 2, 3),           philox(2, 1, 3),           philox(3, 2, 1),          philox(1, 3, 2),
      philox(1ULL << 32U, 2, 3), philox(1, 2ULL << 32U, 3), philox(1, 2, 3ULL << 32U)};
  EXPECT_EQ(blocks.size(), 7U);
}

TEST(Rng, IsTheSequenceOfPhilox) {
  Rng rng(7, 9);
  for (std::uint64_t index = 0; index < 3; ++index) {
    for (const std::uint32_t word : philox(7, 9, index)) {
      EXPECT_EQ(rng.bits(), word);
    }
  }
}

TEST(Rng, UniformFillsItsRangeEvenly) {
  Rng rng(1);
  constexpr int kDraws = 100000;
  std::vector<int> bins(10);
  for (int i = 0; i < kDraws; ++i) {
    const float u = rng.uniform();
    ASSERT_GE(u, 0.0F);
    ASSERT_LT(u, 1.0F);
    ++bins[static_cast<std::size_t>(u * 10.0F)];
  }
  for (const int count : bins) {
    // Five standard deviations of a binomial with p = 1/10.
    EXPECT_NEAR(count, kDraws * 0.1, 5 * std::sqrt(kDraws * 0.1 * 0.9));
  }
  for (int i = 0; i < 1000; ++i) {
    const float u = rng.uniform(-2.0F, 3.0F);
    ASSERT_GE(u, -2.0F);
    ASSERT_LE(u, 3.0F);
  }
}

TEST(Rng, NormalHasTheMomentsOfANormal) {
  Rng rng(2);
  constexpr int kDraws = 200000;
  double moments[5] = {};
  for (int i = 0; i < kDraws; ++i) {
    const double x = rng.normal();
    ASSERT_TRUE(std::isfinite(x));
    double power = 1.0;
    for (double& moment : moments) {
      moment += power / kDraws;
      power *= x;
    }
  }
  EXPECT_NEAR(moments[1], 0.0, 0.012);
  EXPECT_NEAR(moments[2], 1.0, 0.016);
  EXPECT_NEAR(moments[3], 0.0, 0.045);
  EXPECT_NEAR(moments[4], 3.0, 0.12);
}

TEST(Rng, BelowIsFairWhereModuloIsNot) {
  // A draw modulo 3 * 2^30 would give the first third twice as often as the rest.
  Rng rng(3);
  constexpr std::uint32_t kBound = 3U << 30U;
  int first_third = 0;
  constexpr int kDraws = 30000;
  for (int i = 0; i < kDraws; ++i) {
    const std::uint32_t draw = rng.below(kBound);
    ASSERT_LT(draw, kBound);
    first_third += draw < (1U << 30U) ? 1 : 0;
  }
  EXPECT_NEAR(first_third, kDraws / 3.0, 5 * std::sqrt(kDraws * 2.0 / 9.0));
}

TEST(Rng, BelowReachesEveryValue) {
  Rng rng(4);
  std::set<std::uint32_t> seen;
  for (int i = 0; i < 300; ++i) {
    seen.insert(rng.below(6));
  }
  EXPECT_EQ(seen, (std::set<std::uint32_t>{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(rng.below(1), 0U);
  EXPECT_THROW((void)rng.below(0), InternalError);
}

}  // namespace
}  // namespace convoy
