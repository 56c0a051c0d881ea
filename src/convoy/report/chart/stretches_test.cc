#include "convoy/report/chart/stretches.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "convoy/base/odd_numbers_test.h"

namespace convoy::report {
namespace {

using testing::ElementsAre;

std::vector<std::vector<double>> ys(const std::vector<Stretch>& stretches) {
  std::vector<std::vector<double>> all;
  for (const Stretch& stretch : stretches) {
    all.emplace_back();
    for (const Point& point : stretch) all.back().push_back(point.y);
  }
  return all;
}

TEST(Stretches, AreInOrderOfX) {
  Omitted omitted;
  const Series series{.points = {{3, 30}, {1, 10}, {2, 20}}};
  EXPECT_THAT(ys(stretches_of(series, {}, {}, omitted)), ElementsAre(ElementsAre(10, 20, 30)));
  EXPECT_TRUE(omitted.notes().empty());
}

TEST(Stretches, EndWhereAValueIsMissing) {
  Omitted omitted;
  const Series series{.points = {{1, kNan}, {2, 20}, {3, kInfinity}, {4, kNan}, {5, 50}, {6, 60}, {7, kNan}}};
  EXPECT_THAT(ys(stretches_of(series, {}, {}, omitted)), ElementsAre(ElementsAre(20), ElementsAre(50, 60)));
  EXPECT_EQ(omitted.not_numbers, 4U);
  EXPECT_EQ(omitted.off_scale, 0U);
}

TEST(Stretches, LogarithmicAxesHaveNoPlaceForZero) {
  Omitted omitted;
  const Series series{.points = {{0, 1}, {1, 0}, {2, -1}, {4, 8}}};
  EXPECT_THAT(ys(stretches_of(series, {.scale = AxisScale::log2}, {.scale = AxisScale::log10}, omitted)),
              ElementsAre(ElementsAre(8)));
  EXPECT_THAT(omitted.notes(), ElementsAre("3 values are left out: they have no place on the axis."));
}

TEST(Stretches, DropEndsOfIntervalsThatAreNoNumbers) {
  Omitted omitted;
  const Series series{.points = {{1, 5, kNan, kInfinity}, {2, 6, 5.0, 7.0}}};
  const auto stretches = stretches_of(series, {}, {}, omitted);
  EXPECT_FALSE(stretches[0][0].low);
  EXPECT_FALSE(stretches[0][0].high);
  EXPECT_EQ(stretches[0][1].low, 5.0);
}

TEST(Thinned, KeepsEndsAndExtremes) {
  Stretch stretch;
  for (int i = 0; i < 10000; ++i) stretch.push_back({static_cast<double>(i), std::sin(i * 0.01)});
  stretch[1234].y = 99;
  stretch[5678].y = -99;
  const Stretch few = thinned(stretch, 400);
  EXPECT_LE(few.size(), 402U);
  EXPECT_GE(few.size(), 200U);
  EXPECT_EQ(few.front().x, 0);
  EXPECT_EQ(few.back().x, 9999);
  EXPECT_TRUE(std::ranges::is_sorted(few, {}, &Point::x));
  const auto has = [&](double y) { return std::ranges::any_of(few, [&](const Point& point) { return point.y == y; }); };
  EXPECT_TRUE(has(99));
  EXPECT_TRUE(has(-99));
}

TEST(Thinned, LeavesShortRunsAlone) {
  const Stretch stretch(100, Point{1, 1});
  EXPECT_EQ(thinned(stretch, 100).size(), 100U);
  EXPECT_EQ(thinned({{1, 1}}, 0).size(), 1U);
}

}  // namespace
}  // namespace convoy::report
