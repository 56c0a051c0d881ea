#include "convoy/study/sweep_analysis.h"

#include <gtest/gtest.h>

#include <limits>

#include "convoy/study/small_results_test.h"

namespace convoy::study {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// Held loss up to the first epoch, then straight lines: over two seconds (2 + 1.5) / 2, (1 + 1) / 2, ...
StudyResults sweep() {
  StudyResults results;
  results.spec = {.kind = StudyKind::sweep, .price = 0};
  results.points = {point_with({{"lr", "1"}, {"workers", "1"}}, {run_with(1, {2, 1}), run_with(1, {2, 1})}),
                    point_with({{"lr", "2"}, {"workers", "1"}}, {run_with(1, {1, 1}), run_with(1, {1, 0.5})}),
                    point_with({{"lr", "3"}, {"workers", "1"}}, {run_with(1, {1, kNan}), run_with(1, {0.1, 0.1})}),
                    point_with({{"lr", "1"}, {"workers", "2"}}, {run_with(1, {3, 2}, 0.5), run_with(1, {3, 2}, 0.5)}),
                    point_with({{"lr", "2"}, {"workers", "2"}}, {failed_run("killed"), run_with(1, {0.1, 0.1})})};
  results.points[4].runs[0].outcome.epochs = 2;
  return results;
}

TEST(SweepAnalysis, RanksByTheAreaUnderTheLossCurve) {
  const SweepAnalysis analysis = analyse_sweep(sweep());
  ASSERT_EQ(analysis.ranked.size(), 5U);
  EXPECT_EQ(analysis.ranked[0].point.at("lr"), "2");
  EXPECT_EQ(analysis.ranked[1].point.at("lr"), "1");
  EXPECT_EQ(analysis.ranked[1].workers, 1);
  EXPECT_EQ(analysis.ranked[2].workers, 2);
  // The two workers end first, after one second: all loss up to there is that of the others' first epoch.
  EXPECT_EQ(analysis.horizon_seconds, 1);
  EXPECT_EQ(analysis.horizon_samples, 200);
  EXPECT_DOUBLE_EQ(*analysis.ranked[0].loss_by_seconds, 1);
  EXPECT_DOUBLE_EQ(*analysis.ranked[1].loss_by_seconds, 2);
  EXPECT_DOUBLE_EQ(*analysis.ranked[2].loss_by_seconds, (3 * 0.5 + 2.5 * 0.5) / 1);
  EXPECT_DOUBLE_EQ(*analysis.ranked[1].loss_by_samples, (2 + 1.5) / 2);
  EXPECT_DOUBLE_EQ(*analysis.ranked[0].final_loss, 0.75);
  EXPECT_FALSE(analysis.ranked[0].loss_by_cost);
}

TEST(SweepAnalysis, PointsWithARunThatDivergedOrFailedComeLastAndSayWhy) {
  const SweepAnalysis analysis = analyse_sweep(sweep());
  EXPECT_FALSE(analysis.ranked[3].loss_by_seconds);
  EXPECT_FALSE(analysis.ranked[4].loss_by_seconds);
  EXPECT_FALSE(analysis.ranked[3].trouble.empty());
  EXPECT_FALSE(analysis.ranked[4].trouble.empty());
}

TEST(SweepAnalysis, FindsTheBestForEachNumberOfWorkers) {
  const SweepAnalysis analysis = analyse_sweep(sweep());
  EXPECT_EQ(best_for_workers(analysis), (std::vector<std::size_t>{0, 2}));
}

TEST(SweepAnalysis, PointsThatWereGivenUpRankBehindTheOthers) {
  StudyResults results;
  results.spec.price = 3600;
  results.points = {point_with({{"lr", "1"}}, {run_with(1, {5, 4, 3, 3})}),
                    point_with({{"lr", "2"}}, {run_with(1, {1})}), point_with({{"lr", "3"}}, {run_with(1, {2, 1})})};
  const SweepAnalysis analysis = analyse_sweep(results);
  ASSERT_EQ(analysis.ranked.size(), 3U);
  EXPECT_EQ(analysis.ranked[0].point.at("lr"), "1");
  EXPECT_FALSE(analysis.ranked[0].given_up);
  EXPECT_EQ(analysis.ranked[1].point.at("lr"), "3");
  EXPECT_TRUE(analysis.ranked[1].given_up);
  EXPECT_EQ(analysis.horizon_seconds, 4) << "of those that were not given up";
  EXPECT_EQ(analysis.horizon_cost, 4);
}

}  // namespace
}  // namespace convoy::study
