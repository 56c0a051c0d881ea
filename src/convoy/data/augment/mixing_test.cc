#include "convoy/data/augment/mixing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "convoy/base/error.h"

namespace convoy::data {
namespace {

// By its definition, the distribution has mean 1/2 and variance 1 / (4 (2 alpha + 1)).
TEST(Mixing, DrawsSharesOfABetaDistribution) {
  constexpr int kDraws = 20000;
  for (const float alpha : {0.1F, 0.2F, 1.0F, 5.0F}) {
    Rng rng(3);
    std::vector<double> shares(kDraws);
    for (double& share : shares) {
      share = draw_beta(alpha, rng);
      ASSERT_GE(share, 0);
      ASSERT_LE(share, 1);
    }
    const double mean = std::accumulate(shares.begin(), shares.end(), 0.0) / kDraws;
    double variance = 0;
    for (const double share : shares) variance += (share - mean) * (share - mean) / kDraws;
    const double expected = 1 / (4 * (2.0 * alpha + 1));
    EXPECT_NEAR(mean, 0.5, 4 * std::sqrt(expected / kDraws)) << alpha;
    EXPECT_NEAR(variance, expected, 0.03 * expected) << alpha;
  }
}

TEST(Mixing, GoesEitherWayWhereBothAreAskedFor) {
  Rng rng(5);
  int blends = 0;
  for (int i = 0; i < 1000; ++i) blends += draw_mixture({.mixup = 1, .cutmix = 1}, 32, 32, rng).is_blend() ? 1 : 0;
  EXPECT_NEAR(blends, 500, 80);
  EXPECT_TRUE(draw_mixture({.mixup = 1}, 32, 32, rng).is_blend());
  EXPECT_EQ(draw_mixture({}, 32, 32, rng).share, 0);
}

TEST(Mixing, RectanglesLieInTheImageAndTheirShareIsTheirArea) {
  Rng rng(7);
  for (int i = 0; i < 1000; ++i) {
    const Mixture mixture = draw_mixture({.cutmix = 1}, 20, 30, rng);
    EXPECT_GE(mixture.top, 0);
    EXPECT_LE(mixture.top, mixture.bottom);
    EXPECT_LE(mixture.bottom, 20);
    EXPECT_GE(mixture.left, 0);
    EXPECT_LE(mixture.right, 30);
    const int pixels = (mixture.bottom - mixture.top) * (mixture.right - mixture.left);
    EXPECT_FLOAT_EQ(mixture.share, static_cast<float>(pixels) / 600);
  }
}

TEST(Mixing, BlendsEveryValue) {
  std::vector<float> values = {1, 2, 3, 4};
  mix({.share = 0.25F}, {1, 2, 2}, std::vector<float>{5, 2, -1, 0}, values);
  EXPECT_EQ(values, (std::vector<float>{2, 2, 2, 3}));
}

TEST(Mixing, PutsARectangleIntoEveryChannel) {
  std::vector<float> values(2 * 3 * 4, 1.0F);
  const std::vector<float> other(values.size(), 9.0F);
  mix({.share = 4.0F / 12, .top = 1, .bottom = 3, .left = 2, .right = 4}, {2, 3, 4}, other, values);
  const std::vector<float> plane = {1, 1, 1, 1, 1, 1, 9, 9, 1, 1, 9, 9};
  EXPECT_TRUE(std::equal(plane.begin(), plane.end(), values.begin()));
  EXPECT_TRUE(std::equal(plane.begin(), plane.end(), values.begin() + 12));
}

TEST(Mixing, RefusesWhatIsOutOfRange) {
  EXPECT_THROW(validate({.mixup = -0.1F}), UserError);
  EXPECT_THROW(validate({.cutmix = 101}), UserError);
  EXPECT_THROW(validate({.mixup = std::nanf("")}), UserError);
  EXPECT_NO_THROW(validate({.mixup = 0.2F, .cutmix = 1}));
}

}  // namespace
}  // namespace convoy::data
