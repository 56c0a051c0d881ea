#include "convoy/data/augment/transform.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>

namespace convoy::data {
namespace {

constexpr int kDraws = 3000;

Transform drawn(const AugmentOptions& options, int draw, int height = 32, int width = 48) {
  Rng rng(17, static_cast<std::uint64_t>(draw));
  return draw_transform(options, height, width, rng);
}

// The smallest and largest value of a function over many draws.
template <typename Function>
std::pair<double, double> range_of(const AugmentOptions& options, Function function) {
  std::pair<double, double> range{1e9, -1e9};
  for (int i = 0; i < kDraws; ++i) {
    const double value = function(drawn(options, i));
    range = {std::min(range.first, value), std::max(range.second, value)};
  }
  return range;
}

void expect_fills(const std::pair<double, double>& range, double low, double high) {
  const double slack = (high - low) * 0.01;
  EXPECT_GE(range.first, low - 1e-4);
  EXPECT_LE(range.first, low + slack);
  EXPECT_LE(range.second, high + 1e-4);
  EXPECT_GE(range.second, high - slack);
}

// Where the centre of the result comes from, relative to the centre of the image.
double centre_x(const Transform& t, double width, double height) {
  return t.map.xx * (width - 1) / 2 + t.map.xy * (height - 1) / 2 + t.map.x0 - (width - 1) / 2;
}

TEST(Transform, NothingAskedNothingDone) {
  const Transform transform = drawn({}, 0);
  EXPECT_TRUE(transform.whole_pixels);
  EXPECT_FALSE(transform.flip);
  EXPECT_EQ(transform.dx, 0);
  EXPECT_EQ(transform.dy, 0);
  EXPECT_EQ(transform.brightness, 1);
  EXPECT_EQ(transform.contrast, 1);
  EXPECT_TRUE(transform.holes.empty());
}

TEST(Transform, PaddedCropsReachEveryPlaceEquallyOften) {
  std::map<std::pair<int, int>, int> counts;
  for (int i = 0; i < 81 * 100; ++i) {
    const Transform transform = drawn({.crop_padding = 4, .flip = true}, i);
    EXPECT_TRUE(transform.whole_pixels);
    ++counts[{transform.dx, transform.dy}];
  }
  EXPECT_EQ(counts.size(), 81U);
  EXPECT_EQ(counts.begin()->first, std::pair(-4, -4));
  EXPECT_EQ(counts.rbegin()->first, std::pair(4, 4));
  for (const auto& [place, count] : counts) EXPECT_NEAR(count, 100, 50);  // five standard deviations
}

TEST(Transform, HalfIsFlipped) {
  int flips = 0;
  for (int i = 0; i < kDraws; ++i) flips += drawn({.flip = true}, i).flip ? 1 : 0;
  EXPECT_NEAR(flips, kDraws / 2.0, 137);  // five standard deviations
}

TEST(Transform, ShiftIsAPartOfTheWidth) {
  const auto range = range_of({.shift = 0.25F}, [](const Transform& t) { return centre_x(t, 48, 32); });
  expect_fills(range, -12, 12);
  EXPECT_EQ(drawn({.shift = 0.25F}, 1).map.xx, 1);
}

TEST(Transform, ZoomIsAMagnification) {
  const auto range = range_of({.zoom = 0.2F}, [](const Transform& t) { return 1 / t.map.xx; });
  expect_fills(range, 0.8, 1.2);
  EXPECT_NEAR(centre_x(drawn({.zoom = 0.2F}, 1), 48, 32), 0, 1e-5);
}

TEST(Transform, RotationIsAPartOfAFullTurn) {
  const AugmentOptions options{.rotation = 0.05F};
  expect_fills(range_of(options, [](const Transform& t) { return std::atan2(t.map.yx, t.map.xx) / std::numbers::pi; }),
               -0.1, 0.1);
  for (int i = 0; i < 20; ++i) {
    const AffineMap map = drawn(options, i).map;
    EXPECT_NEAR(map.xx * map.yy - map.xy * map.yx, 1, 1e-5);  // neither scaled nor mirrored
    EXPECT_NEAR(centre_x(drawn(options, i), 48, 32), 0, 1e-4);
  }
}

TEST(Transform, ResizedCropsStayInside) {
  const AugmentOptions options{.resized_crop = {.smallest_area = 0.08F, .largest_stretch = 4.0F / 3}};
  const auto area = range_of(options, [](const Transform& t) { return t.map.xx * t.map.yy; });
  EXPECT_LT(area.first, 0.1);
  EXPECT_GT(area.second, 0.95);
  EXPECT_LE(area.second, 1.0001);
  for (int i = 0; i < kDraws; ++i) {
    const AffineMap map = drawn(options, i).map;
    // The outer edges of the first and last pixel of the result.
    EXPECT_GE(map.xx * -0.5F + map.x0, -0.5F - 1e-3F);
    EXPECT_LE(map.xx * 47.5F + map.x0, 47.5F + 1e-3F);
    EXPECT_GE(map.yy * -0.5F + map.y0, -0.5F - 1e-3F);
    EXPECT_LE(map.yy * 31.5F + map.y0, 31.5F + 1e-3F);
    EXPECT_LE(std::max(map.xx / map.yy, map.yy / map.xx), 4.0F / 3 + 1e-3F);
  }
}

// Flip and crop as part of the map equal flip and crop without it.
TEST(Transform, MapContainsFlipAndCrop) {
  const AugmentOptions whole{.crop_padding = 5, .flip = true};
  AugmentOptions nearly = whole;
  nearly.shift = 1e-7F;
  for (int i = 0; i < 50; ++i) {
    const Transform expected = drawn(whole, i);
    const Transform transform = drawn(nearly, i);
    ASSERT_FALSE(transform.whole_pixels);
    for (const auto& [x, y] : {std::pair(0.0F, 0.0F), std::pair(47.0F, 3.0F), std::pair(20.0F, 31.0F)}) {
      const AffineMap& map = transform.map;
      const float from_x = (expected.flip ? 47 - x : x) + static_cast<float>(expected.dx);
      EXPECT_NEAR(map.xx * x + map.xy * y + map.x0, from_x, 1e-4);
      EXPECT_NEAR(map.yx * x + map.yy * y + map.y0, y + static_cast<float>(expected.dy), 1e-4);
    }
  }
}

TEST(Transform, ColoursStayAroundOne) {
  expect_fills(range_of({.brightness = 0.4F}, [](const Transform& t) { return t.brightness; }), 0.6, 1.4);
  expect_fills(range_of({.contrast = 0.3F}, [](const Transform& t) { return t.contrast; }), 0.7, 1.3);
}

TEST(Transform, HolesAreCentredInTheImageAndLeaveTheRestAlone) {
  const AugmentOptions without{.crop_padding = 4, .flip = true, .shift = 0.1F};
  AugmentOptions with = without;
  with.cutout_size = 10;
  with.cutout_count = 3;
  const auto range = range_of(with, [](const Transform& t) { return t.holes[2].left + 5; });
  EXPECT_EQ(range, std::pair(0.0, 47.0));
  EXPECT_EQ(range_of(with, [](const Transform& t) { return t.holes[0].top + 5; }), std::pair(0.0, 31.0));
  EXPECT_EQ(drawn(with, 1).holes.size(), 3U);
  EXPECT_EQ(drawn(with, 1).map.x0, drawn(without, 1).map.x0);
  EXPECT_EQ(drawn(with, 1).dx, drawn(without, 1).dx);
}

}  // namespace
}  // namespace convoy::data
