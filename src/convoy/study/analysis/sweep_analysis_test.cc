#include "convoy/study/analysis/sweep_analysis.h"

#include <gtest/gtest.h>

#include "convoy/base/odd_numbers_test.h"
#include "convoy/study/analysis/small_results_test.h"

namespace convoy::study {
namespace {

// The loss of the first step until its end, then straight lines: over two seconds (2 + 1.5) / 2, (1 + 1) / 2, ...
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
  // The run with two workers ends first, after one second; the others have done one step by then.
  EXPECT_EQ(analysis.seconds, (Stretch{0, 1}));
  EXPECT_EQ(analysis.samples, (Stretch{0, 200}));
  EXPECT_TRUE(analysis.by_steps);
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
  EXPECT_EQ(analysis.best_for_workers, (std::vector<std::size_t>{0, 2}));
}

TEST(SweepAnalysis, PointsThatWereGivenUpComeAfterTheOthersAndHaveNoRank) {
  StudyResults results;
  results.spec.price = 3600;
  results.spec.halving = HalvingSpec{};
  results.points = {point_with({{"lr", "1"}}, {run_with(1, {5, 4, 3, 3})}),
                    point_with({{"lr", "2"}}, {run_with(1, {1})}), point_with({{"lr", "3"}}, {run_with(1, {2, 1})})};
  const SweepAnalysis analysis = analyse_sweep(results);
  ASSERT_EQ(analysis.ranked.size(), 3U);
  EXPECT_EQ(analysis.ranked[0].point.at("lr"), "1");
  EXPECT_FALSE(analysis.ranked[0].given_up);
  EXPECT_EQ(analysis.ranked[1].point.at("lr"), "3");
  EXPECT_TRUE(analysis.ranked[1].given_up);
  EXPECT_FALSE(analysis.ranked[1].loss_by_seconds) << "it ended before the horizon";
  EXPECT_EQ(analysis.seconds, (Stretch{0, 4})) << "of those that were not given up";
  EXPECT_EQ(analysis.cost, (Stretch{0, 4}));
}

TEST(SweepAnalysis, FewerEpochsWithoutHalvingAreComparedOnTheCommonHorizon) {
  StudyResults results;
  results.points = {point_with({{"epochs", "4"}}, {run_with(1, {5, 4, 3, 3})}),
                    point_with({{"epochs", "1"}}, {run_with(1, {1})})};
  const SweepAnalysis analysis = analyse_sweep(results);
  EXPECT_EQ(analysis.ranked[0].point.at("epochs"), "1");
  EXPECT_FALSE(analysis.ranked[0].given_up);
  EXPECT_EQ(analysis.seconds, (Stretch{0, 1}));
}

// A run whose loss starts at `first` and falls in a straight line to `last` within `seconds`, in ten steps and two
// epochs.
StudyRun falling_run(double first, double last, double seconds) {
  StudyRun run = run_with(1, {(first + last) / 2, last}, seconds / 2);
  run.measures->loss_steps.clear();
  for (int i = 1; i <= 10; ++i) {
    run.measures->loss_steps.push_back(
        {.seconds = i * seconds / 10, .samples = i * 20.0, .loss = first + (last - first) * i / 10});
  }
  return run;
}

TEST(SweepAnalysis, ALongRunDoesNotWinByALossItHadAfterTheHorizon) {
  // The slow run falls from 10 to 0 in 10 s, the fast one in 1 s. The mean of the slow run's first epoch is 5 too, but
  // it takes 5 s to get there: over the first second its mean loss is 9.5.
  StudyResults results;
  results.points = {point_with({{"workers", "1"}}, {falling_run(10, 0, 10)}),
                    point_with({{"workers", "2"}}, {falling_run(10, 0, 1)})};
  const SweepAnalysis analysis = analyse_sweep(results);
  EXPECT_EQ(analysis.seconds, (Stretch{0, 1}));
  EXPECT_EQ(analysis.ranked[0].workers, 2);
  EXPECT_GT(*analysis.ranked[1].loss_by_seconds, 8.9);
  EXPECT_LT(*analysis.ranked[0].loss_by_seconds, 5);
}

TEST(SweepAnalysis, WithoutStepsItBeginsAtTheEndOfTheFirstEpoch) {
  StudyResults results;
  results.points = {point_with({{"lr", "1"}}, {run_with(1, {4, 2}, 1)}),
                    point_with({{"lr", "2"}}, {run_with(1, {1, 1}, 5)})};
  for (PointResult& point : results.points) point.runs[0].measures->loss_steps.clear();
  const SweepAnalysis analysis = analyse_sweep(results);
  EXPECT_FALSE(analysis.by_steps);
  EXPECT_EQ(analysis.seconds, (Stretch{1, 2}));
  EXPECT_EQ(analysis.ranked[0].point.at("lr"), "1");
  EXPECT_FALSE(analysis.ranked[1].loss_by_seconds);
  EXPECT_NE(analysis.ranked[1].trouble.find("the shortest run had ended"), std::string::npos);
}

SweepAnalysis with_losses(const std::vector<std::vector<double>>& losses) {
  StudyResults results;
  for (std::size_t i = 0; i < losses.size(); ++i) {
    results.points.push_back(point_with({{"lr", std::to_string(i)}}, {}));
    for (const double loss : losses[i]) results.points.back().runs.push_back(run_with(1, {loss, loss}));
  }
  return analyse_sweep(results);
}

TEST(SweepLead, IsShownWhereTheSpreadOfRunsIsSmallerThanTheDifference) {
  const SweepLead lead = lead_of(with_losses({{1.0, 1.01, 0.99}, {2.0, 2.01, 1.99}}));
  EXPECT_TRUE(lead.is_shown());
  EXPECT_EQ(lead.why_none, "");
  ASSERT_TRUE(lead.to_second);
  EXPECT_GT(lead.to_second->low, 0.9);
}

TEST(SweepLead, IsNotShownWhereRunsOverlap) {
  const SweepLead lead = lead_of(with_losses({{1.0, 1.2, 0.8}, {1.0, 1.3, 0.9}, {3, 3.1, 2.9}}));
  EXPECT_FALSE(lead.is_shown());
  EXPECT_TRUE(lead.repeated);
  EXPECT_EQ(lead.rivals, (std::vector<std::size_t>{1}));
  EXPECT_NE(lead.why_none.find("does not tell it from"), std::string::npos);
}

TEST(SweepLead, IsNotShownWhereOthersUsedTheCores) {
  for (const std::size_t disturbed : {0U, 1U}) {
    SweepAnalysis analysis = with_losses({{1.0, 1.01, 0.99}, {2.0, 2.01, 1.99}});
    analysis.ranked[disturbed].statistics.rests_on_disturbed = true;
    const SweepLead lead = lead_of(analysis);
    EXPECT_TRUE(lead.disturbed) << disturbed;
    EXPECT_FALSE(lead.is_shown()) << disturbed;
    EXPECT_NE(lead.why_none.find("Others used the cores"), std::string::npos);
  }
}

TEST(SweepLead, SingleRunsShowNothing) {
  const SweepLead lead = lead_of(with_losses({{1}, {2}}));
  EXPECT_FALSE(lead.is_shown());
  EXPECT_FALSE(lead.repeated);
  EXPECT_FALSE(lead.to_second);
  EXPECT_NE(lead.why_none.find("Each is a single run"), std::string::npos);
  const SweepLead alone = with_losses({{1}}).lead;
  EXPECT_FALSE(alone.is_shown()) << "of one there is no best";
  EXPECT_NE(alone.why_none.find("nothing to compare it with"), std::string::npos);
  EXPECT_NE(with_losses({}).lead.why_none.find("no best one"), std::string::npos);
}

}  // namespace
}  // namespace convoy::study
