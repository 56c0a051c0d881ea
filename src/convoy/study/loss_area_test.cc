#include "convoy/study/loss_area.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "convoy/base/error.h"

namespace convoy::study {
namespace {

using testing::HasSubstr;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

RunMeasures run_of(std::vector<CurvePoint> curve, std::int64_t ranks = 1) {
  RunMeasures run;
  run.ranks = ranks;
  run.curve = std::move(curve);
  return run;
}

TEST(LossArea, UnderAStraightLine) {
  // Held at 4 until 1, then down to 0 at 5: 4 + 8.
  const LossCurve line = {{1, 4}, {2, 3}, {5, 0}};
  EXPECT_DOUBLE_EQ(*loss_area(line, 5), 12);
  EXPECT_DOUBLE_EQ(*loss_area(line, 2), 4 + 3.5);
}

TEST(LossArea, IsInterpolatedAtTheHorizon) {
  const LossCurve line = {{1, 4}, {5, 0}};
  EXPECT_DOUBLE_EQ(*loss_area(line, 3), 4 + 2 * (4 + 2) / 2.0);
  EXPECT_DOUBLE_EQ(*loss_area(line, 0.5), 2);  // within the first epoch its loss is held
}

TEST(LossArea, LossesBeyondTheHorizonDoNotMatter) {
  EXPECT_DOUBLE_EQ(*loss_area({{1, 2}, {2, 2}, {3, kNan}}, 2), 4);
  EXPECT_FALSE(loss_area({{1, 2}, {2, kNan}, {3, 1}}, 2));
}

TEST(LossArea, HorizonBeyondTheCurveIsRefused) {
  EXPECT_THROW((void)loss_area({{1, 2}}, 1.5), InternalError);
  EXPECT_THROW((void)loss_area({}, 1), InternalError);
}

TEST(LossArea, CurvesByTimeSamplesAndCost) {
  const RunMeasures run = run_of({{.epoch = 1, .seconds = 1800, .samples = 500, .train_loss = 2},
                                  {.epoch = 2, .seconds = 3600, .samples = 1000, .train_loss = 1, .test_loss = 1.5}},
                                 4);
  const LossCurve seconds = loss_curve(run, CurveAxis::seconds);
  ASSERT_EQ(seconds.size(), 2);
  EXPECT_DOUBLE_EQ(seconds[0].at, 1800);
  EXPECT_DOUBLE_EQ(seconds[1].loss, 1);
  EXPECT_DOUBLE_EQ(loss_curve(run, CurveAxis::samples)[1].at, 1000);
  // Four workers at 0.5 for an hour.
  EXPECT_DOUBLE_EQ(loss_curve(run, CurveAxis::cost, CurveLoss::train, 0.5)[1].at, 2);
  const LossCurve test = loss_curve(run, CurveAxis::seconds, CurveLoss::test);
  ASSERT_EQ(test.size(), 1);
  EXPECT_DOUBLE_EQ(test[0].loss, 1.5);
  EXPECT_TRUE(loss_curve(run, CurveAxis::cost).empty());  // without a price nothing costs
}

TEST(LossArea, RanksOnTheHorizonOfTheShortest) {
  // The second is better up to 10, the first afterwards: only the common part counts.
  const std::vector<LossCurve> curves = {{{10, 3}, {100, 0}}, {{5, 2}, {10, 2}}};
  const LossRanking ranking = rank_by_loss_area(curves);
  EXPECT_EQ(ranking.horizon, 10);
  ASSERT_EQ(ranking.ranked.size(), 2);
  EXPECT_EQ(ranking.ranked[0].curve, 1);
  EXPECT_DOUBLE_EQ(*ranking.ranked[0].area, 20);
  EXPECT_DOUBLE_EQ(*ranking.ranked[0].mean_loss, 2);
  EXPECT_DOUBLE_EQ(*ranking.ranked[1].area, 30);
}

TEST(LossArea, DivergedRunsComeLastAndDoNotShortenTheHorizon) {
  const std::vector<LossCurve> curves = {{{1, 1}, {2, kNan}}, {}, {{5, 2}, {10, 2}}, {{10, 1}}};
  const LossRanking ranking = rank_by_loss_area(curves);
  EXPECT_EQ(ranking.horizon, 10);
  ASSERT_EQ(ranking.ranked.size(), 4);
  EXPECT_EQ(ranking.ranked[0].curve, 3);
  EXPECT_EQ(ranking.ranked[1].curve, 2);
  EXPECT_EQ(ranking.ranked[2].curve, 0);
  EXPECT_FALSE(ranking.ranked[2].area);
  EXPECT_THAT(ranking.ranked[2].reason, HasSubstr("not finite"));
  EXPECT_EQ(ranking.ranked[3].curve, 1);
  EXPECT_THAT(ranking.ranked[3].reason, HasSubstr("no epoch"));
}

TEST(LossArea, NothingToRankHasNoHorizon) {
  EXPECT_FALSE(rank_by_loss_area({}).horizon);
  EXPECT_FALSE(rank_by_loss_area(std::vector<LossCurve>{{{1, kNan}}}).horizon);
}

TEST(LossArea, EqualsKeepTheirOrder) {
  const LossRanking ranking = rank_by_loss_area(std::vector<LossCurve>{{{1, 2}}, {{1, 1}}, {{1, 2}}});
  EXPECT_EQ(ranking.ranked[0].curve, 1);
  EXPECT_EQ(ranking.ranked[1].curve, 0);
  EXPECT_EQ(ranking.ranked[2].curve, 2);
}

}  // namespace
}  // namespace convoy::study
