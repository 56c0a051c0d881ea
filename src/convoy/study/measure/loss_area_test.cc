#include "convoy/study/measure/loss_area.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "convoy/base/error.h"
#include "convoy/base/odd_numbers_test.h"

namespace convoy::study {
namespace {

using testing::HasSubstr;

RunMeasures run_of(std::vector<CurvePoint> curve, std::int64_t ranks = 1) {
  RunMeasures run;
  run.ranks = ranks;
  run.curve = std::move(curve);
  return run;
}

TEST(LossArea, UnderAStraightLine) {
  const LossCurve line = {{0, 5}, {2, 3}, {5, 0}};
  EXPECT_DOUBLE_EQ(*loss_area(line, {0, 5}), 12.5);
  EXPECT_DOUBLE_EQ(*loss_area(line, {0, 2}), 8);
}

TEST(LossArea, IsInterpolatedAtBothEnds) {
  const LossCurve line = {{1, 4}, {5, 0}};
  EXPECT_DOUBLE_EQ(*loss_area(line, {1, 3}), 2 * (4 + 2) / 2.0);
  EXPECT_DOUBLE_EQ(*loss_area(line, {2, 3}), 2.5);
}

TEST(LossArea, LossesBeyondTheHorizonDoNotMatter) {
  EXPECT_DOUBLE_EQ(*loss_area({{0, 2}, {2, 2}, {3, kNan}}, {0, 2}), 4);
  EXPECT_FALSE(loss_area({{0, 2}, {2, kNan}, {3, 1}}, {0, 2}));
}

TEST(LossArea, OutsideTheCurveIsRefused) {
  EXPECT_THROW((void)loss_area({{0, 2}, {1, 2}}, {0, 1.5}), InternalError);
  EXPECT_THROW((void)loss_area({{1, 2}, {2, 2}}, {0, 2}), InternalError) << "nothing is known before its first point";
  EXPECT_THROW((void)loss_area({}, {0, 1}), InternalError);
}

TEST(LossArea, CurvesOfStepsBeginAtZero) {
  RunMeasures run = run_of({{.epoch = 1, .seconds = 3, .samples = 30, .train_loss = 2}}, 2);
  run.loss_steps = {{.seconds = 1, .samples = 10, .loss = 3}, {.seconds = 2, .samples = 20, .loss = 1}};
  const LossCurve seconds = loss_curve(run, CurveAxis::seconds);
  ASSERT_EQ(seconds.size(), 3);
  EXPECT_DOUBLE_EQ(seconds[0].at, 0);
  EXPECT_DOUBLE_EQ(seconds[0].loss, 3) << "that of the untrained weights, and not the mean of the epoch";
  EXPECT_DOUBLE_EQ(seconds[2].at, 2);
  EXPECT_DOUBLE_EQ(seconds[2].loss, 1);
  EXPECT_DOUBLE_EQ(loss_curve(run, CurveAxis::samples)[1].at, 10);
  EXPECT_DOUBLE_EQ(loss_curve(run, CurveAxis::cost, CurveLoss::train, 3600)[1].at, 2);
  EXPECT_TRUE(loss_curve(run, CurveAxis::cost).empty()) << "without a price nothing costs";
}

TEST(LossArea, SmoothedHasFewerPointsAndTheSameMean) {
  const LossCurve curve = {{0, 5}, {1, 3}, {2, 2}, {3, 1}, {4, 0}};
  const LossCurve few = smoothed(curve, 3);
  ASSERT_EQ(few.size(), 3);
  EXPECT_DOUBLE_EQ(few[0].at, 0.5);
  EXPECT_DOUBLE_EQ(few[0].loss, 4);
  EXPECT_DOUBLE_EQ(few[2].at, 4);
  EXPECT_EQ(smoothed(curve, 5).size(), 5);
  EXPECT_TRUE(smoothed({}, 5).empty());
}

TEST(LossArea, CurvesOfEpochsBeginAtTheEndOfTheFirst) {
  const RunMeasures run = run_of({{.epoch = 1, .seconds = 1800, .samples = 500, .train_loss = 2},
                                  {.epoch = 2, .seconds = 3600, .samples = 1000, .train_loss = 1, .test_loss = 1.5}},
                                 4);
  const LossCurve seconds = loss_curve(run, CurveAxis::seconds);
  ASSERT_EQ(seconds.size(), 2);
  EXPECT_DOUBLE_EQ(seconds[0].at, 1800);
  EXPECT_DOUBLE_EQ(seconds[1].loss, 1);
  EXPECT_DOUBLE_EQ(loss_curve(run, CurveAxis::samples)[1].at, 1000);
  // Four workers at a price of 0.5 for an hour.
  EXPECT_DOUBLE_EQ(loss_curve(run, CurveAxis::cost, CurveLoss::train, 0.5)[1].at, 2);
  const LossCurve test = loss_curve(run, CurveAxis::seconds, CurveLoss::test);
  ASSERT_EQ(test.size(), 1);
  EXPECT_DOUBLE_EQ(test[0].loss, 1.5);
  EXPECT_TRUE(loss_curve(run, CurveAxis::cost).empty());  // there is no cost without a price
}

TEST(LossArea, RanksOnTheHorizonOfTheShortest) {
  // The second is better up to 10, the first afterwards; only the common part counts.
  const std::vector<LossCurve> curves = {{{0, 3}, {10, 3}, {100, 0}}, {{0, 2}, {5, 2}, {10, 2}}};
  const LossRanking ranking = rank_by_loss_area(curves);
  EXPECT_EQ(ranking.stretch, (Stretch{0, 10}));
  ASSERT_EQ(ranking.ranked.size(), 2);
  EXPECT_EQ(ranking.ranked[0].curve, 1);
  EXPECT_DOUBLE_EQ(*ranking.ranked[0].area, 20);
  EXPECT_DOUBLE_EQ(*ranking.ranked[0].mean_loss, 2);
  EXPECT_DOUBLE_EQ(*ranking.ranked[1].area, 30);
}

TEST(LossArea, BeginsWhereTheLastCurveDoes) {
  // Epochs: the first one of the first curve ends at 4. Its loss before that is not known, so no curve's counts there.
  const std::vector<LossCurve> curves = {{{4, 3}, {8, 1}}, {{1, 9}, {4, 2}, {10, 2}}};
  const LossRanking ranking = rank_by_loss_area(curves);
  EXPECT_EQ(ranking.stretch, (Stretch{4, 8}));
  EXPECT_DOUBLE_EQ(*ranking.ranked[0].mean_loss, 2);
  EXPECT_DOUBLE_EQ(*ranking.ranked[1].mean_loss, 2);
}

TEST(LossArea, WhatBeginsAfterTheHorizonIsNotRankedAndSaysWhy) {
  // The first epoch of the second run ended at 2.93, when the first run was already over.
  const std::vector<LossCurve> curves = {{{0.6, 3}, {1.89, 2}}, {{2.93, 0.1}, {5, 0.1}}};
  const LossRanking ranking = rank_by_loss_area(curves);
  EXPECT_EQ(ranking.stretch, (Stretch{0.6, 1.89}));
  EXPECT_EQ(ranking.ranked[0].curve, 0);
  EXPECT_EQ(ranking.ranked[1].curve, 1);
  EXPECT_FALSE(ranking.ranked[1].area);
  EXPECT_THAT(ranking.ranked[1].reason, HasSubstr("the shortest run had ended"));
}

TEST(LossArea, DivergedRunsComeLastAndDoNotShortenTheHorizon) {
  const std::vector<LossCurve> curves = {{{0, 1}, {2, kNan}}, {}, {{0, 2}, {10, 2}}, {{0, 1}, {10, 1}}};
  const LossRanking ranking = rank_by_loss_area(curves);
  EXPECT_EQ(ranking.stretch, (Stretch{0, 10}));
  ASSERT_EQ(ranking.ranked.size(), 4);
  EXPECT_EQ(ranking.ranked[0].curve, 3);
  EXPECT_EQ(ranking.ranked[1].curve, 2);
  EXPECT_EQ(ranking.ranked[2].curve, 0);
  EXPECT_FALSE(ranking.ranked[2].area);
  EXPECT_THAT(ranking.ranked[2].reason, HasSubstr("not finite"));
  EXPECT_EQ(ranking.ranked[3].curve, 1);
  EXPECT_THAT(ranking.ranked[3].reason, HasSubstr("no loss"));
}

TEST(LossArea, NothingToRankHasNoHorizon) {
  EXPECT_FALSE(rank_by_loss_area({}).stretch);
  EXPECT_FALSE(rank_by_loss_area(std::vector<LossCurve>{{{0, 1}, {1, kNan}}}).stretch);
  EXPECT_FALSE(rank_by_loss_area(std::vector<LossCurve>{{{1, 1}}, {{2, 1}}}).stretch) << "an epoch each";
}

TEST(LossArea, LossesBeyondAllNumbersHaveNoArea) {
  const double most = std::numeric_limits<double>::max();
  const LossRanking ranking = rank_by_loss_area(std::vector<LossCurve>{{{0, most}, {100, most}}});
  EXPECT_FALSE(ranking.ranked[0].mean_loss);
  EXPECT_THAT(ranking.ranked[0].reason, HasSubstr("too large"));
}

TEST(LossArea, EqualsKeepTheirOrder) {
  const auto flat = [](double loss) { return LossCurve{{0, loss}, {1, loss}}; };
  const LossRanking ranking = rank_by_loss_area(std::vector<LossCurve>{flat(2), flat(1), flat(2)});
  EXPECT_EQ(ranking.ranked[0].curve, 1);
  EXPECT_EQ(ranking.ranked[1].curve, 0);
  EXPECT_EQ(ranking.ranked[2].curve, 2);
}

}  // namespace
}  // namespace convoy::study
