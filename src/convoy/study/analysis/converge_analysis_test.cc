#include "convoy/study/analysis/converge_analysis.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "convoy/study/analysis/small_results_test.h"

namespace convoy::study {
namespace {

using testing::HasSubstr;

using Values = std::vector<WorkersValue>;

TEST(WorkerTrend, SlopeIsPerDoubling) {
  const auto trend = worker_trend(Values{{1, 0.90}, {2, 0.88}, {4, 0.86}, {16, 0.82}});
  ASSERT_TRUE(trend);
  EXPECT_NEAR(trend->per_doubling.value, -0.02, 1e-12);
  EXPECT_NEAR(trend->at_one_worker, 0.90, 1e-12);
  EXPECT_TRUE(trend->is_significant());
}

// log2 of the workers is 0, 1, 2, 3. The line through 1, 3, 2, 5 has slope 1.1, whose variance is 0.27.
TEST(WorkerTrend, IntervalIsStudentsOfTheSlope) {
  const auto trend = worker_trend(Values{{1, 1}, {2, 3}, {4, 2}, {8, 5}});
  ASSERT_TRUE(trend);
  EXPECT_NEAR(trend->per_doubling.value, 1.1, 1e-12);
  ASSERT_TRUE(trend->per_doubling.interval_95);
  EXPECT_NEAR(trend->per_doubling.interval_95->low, 1.1 - 4.302653 * std::sqrt(0.27), 1e-5);
  EXPECT_NEAR(trend->per_doubling.interval_95->high, 1.1 + 4.302653 * std::sqrt(0.27), 1e-5);
  EXPECT_FALSE(trend->is_significant());
  EXPECT_EQ(trend->note, "");
}

// Epochs to stable accuracy, estimated by eye, for Caltech-256 on 2, 4, 4 and 8 GPUs: 15, 19, 20, 25.
TEST(WorkerTrend, EpochsToStableAccuracyGrowByFivePerDoubling) {
  const auto trend = worker_trend(Values{{2, 15}, {4, 19}, {4, 20}, {8, 25}});
  ASSERT_TRUE(trend);
  EXPECT_NEAR(trend->per_doubling.value, 5, 1e-12);
  EXPECT_TRUE(trend->is_significant());
}

TEST(WorkerTrend, FewPointsHaveNoInterval) {
  const auto trend = worker_trend(Values{{1, 1}, {2, 3}, {4, 2}});
  ASSERT_TRUE(trend);
  EXPECT_FALSE(trend->per_doubling.interval_95);
  EXPECT_FALSE(trend->is_significant());
  EXPECT_THAT(trend->note, HasSubstr("3 observations, at least 4"));
}

TEST(WorkerTrend, OneNumberOfWorkersHasNone) {
  EXPECT_FALSE(worker_trend(Values{{1, 1}, {1, 2}, {1, 3}}));
  EXPECT_FALSE(worker_trend(Values{{4, 1}, {4, 2}, {4, 3}}));
  EXPECT_FALSE(worker_trend(Values{{4, 1}}));
  EXPECT_FALSE(worker_trend(Values{}));
}

StudyRun learning(const std::vector<double>& accuracies, double epoch_seconds = 1) {
  return run_with(1, std::vector<double>(accuracies.size(), 0.5), epoch_seconds, accuracies);
}

StudyResults two_sizes() {
  StudyResults results;
  results.spec = {.kind = StudyKind::converge, .target_accuracy = 0.8, .stable_within = 0.01};
  results.points = {
      point_with({{"workers", "1"}}, {learning({0.5, 0.8, 0.9, 0.9, 0.9}), learning({0.5, 0.7, 0.92, 0.92, 0.92})}),
      point_with({{"workers", "2"}}, {learning({0.3, 0.5, 0.7, 0.7, 0.7}, 0.5), failed_run("killed")})};
  return results;
}

TEST(ConvergeAnalysis, AveragesOverSeeds) {
  const ConvergeAnalysis analysis = analyse_convergence(two_sizes());
  ASSERT_EQ(analysis.points.size(), 2U);
  const ConvergePoint& one = analysis.points[0];
  ASSERT_EQ(one.curve.size(), 5U);
  EXPECT_DOUBLE_EQ(one.curve[1].accuracy.mean, 0.75);
  EXPECT_EQ(one.curve[1].seconds, 2);
  EXPECT_DOUBLE_EQ(one.curve[1].train_loss->mean, 0.5);
  EXPECT_DOUBLE_EQ(one.final_accuracy->mean, 0.91);
  EXPECT_DOUBLE_EQ(one.best_accuracy->maximum, 0.92);
}

TEST(ConvergeAnalysis, AddsUpBytesBetweenMachines) {
  StudyResults results = two_sizes();
  EXPECT_FALSE(analyse_convergence(results).points[0].wire_bytes);
  for (StudyRun& run : results.points[0].runs) {
    double bytes = 0;
    for (CurvePoint& point : run.measures->curve)
      point.wire_bytes = bytes += &run == &results.points[0].runs[0] ? 10 : 30;
  }
  const ConvergeAnalysis analysis = analyse_convergence(results);
  EXPECT_DOUBLE_EQ(analysis.points[0].curve[1].wire_bytes, 40);
  EXPECT_DOUBLE_EQ(analysis.points[0].wire_bytes->mean, 100);
  EXPECT_EQ(analysis.points[1].curve[0].wire_bytes, 0);
}

TEST(ConvergeAnalysis, FindsStableEpochsAndTheTimeToATarget) {
  const ConvergeAnalysis analysis = analyse_convergence(two_sizes());
  const ConvergePoint& one = analysis.points[0];
  EXPECT_EQ(one.stable_runs, 2);
  EXPECT_EQ(one.stable_epochs->mean, 3);
  EXPECT_EQ(one.target_runs, 2);
  EXPECT_EQ(one.target_epochs->mean, 2.5);
  EXPECT_EQ(one.target_seconds->mean, 2.5);
  const ConvergePoint& two = analysis.points[1];
  EXPECT_EQ(two.target_runs, 0);
  EXPECT_FALSE(two.target_seconds);
  EXPECT_EQ(two.stable_seconds->mean, 1.5);
  EXPECT_EQ(two.statistics.failed, 1);
}

TEST(ConvergeAnalysis, SaysWhichIsStableAndAtTheTargetFirst) {
  StudyResults results = two_sizes();
  const ConvergeAnalysis analysis = analyse_convergence(results);
  EXPECT_EQ(analysis.stable_first, (std::vector<std::size_t>{0, 1})) << "both from epoch 3";
  EXPECT_EQ(analysis.target_first, (std::vector<std::size_t>{0}));
  results.points[0].oversubscribed = true;
  EXPECT_TRUE(analyse_convergence(results).target_first.empty()) << "its times are doubtful";
  EXPECT_EQ(analyse_convergence(results).stable_first.size(), 2U) << "what it learned is not";
}

TEST(ConvergeAnalysis, TellsTheTrendAgainstWorkers) {
  const ConvergeAnalysis analysis = analyse_convergence(two_sizes());
  ASSERT_TRUE(analysis.accuracy_trend);
  EXPECT_NEAR(analysis.accuracy_trend->per_doubling.value, 0.7 - 0.91, 1e-12);
  StudyResults same = two_sizes();
  same.points.pop_back();
  EXPECT_FALSE(analyse_convergence(same).accuracy_trend);
}

TEST(ConvergeAnalysis, EpochsThatARunLacksAreNotAveraged) {
  StudyResults results = two_sizes();
  results.points[0].runs[1] = learning({0.5, 0.7});
  EXPECT_EQ(analyse_convergence(results).points[0].curve.size(), 2U);
}

TEST(ConvergeAnalysis, RunsOfDifferentLengthsAreComparedOnTheCommonOne) {
  // The short run was stopped after three epochs; the long one is better only because it had two more.
  StudyResults results;
  results.spec = {.kind = StudyKind::converge, .target_accuracy = 0.9, .stable_within = 0.01};
  results.points = {point_with({{"workers", "1"}}, {learning({0.3, 0.4, 0.5, 0.8, 0.9})}),
                    point_with({{"workers", "2"}}, {learning({0.4, 0.6, 0.7})})};
  const ConvergeAnalysis analysis = analyse_convergence(results);
  EXPECT_EQ(analysis.common_epoch, 3);
  EXPECT_DOUBLE_EQ(analysis.points[0].final_accuracy->mean, 0.5);
  EXPECT_DOUBLE_EQ(analysis.points[0].best_accuracy->mean, 0.5);
  ASSERT_TRUE(analysis.lead);
  EXPECT_EQ(analysis.lead->best, 1U);
  EXPECT_EQ(analysis.points[0].target_runs, 1) << "which it did, later";
  EXPECT_EQ(analysis.points[0].curve.size(), 5U) << "drawn whole";
  EXPECT_FALSE(analyse_convergence(two_sizes()).common_epoch) << "all are equally long";
}

TEST(ConvergeAnalysis, WhatNeverLearnedIsNotStable) {
  StudyResults results;
  results.points = {point_with({{"workers", "1"}}, {learning({0.1, 0.1, 0.1, 0.1})})};
  EXPECT_EQ(analyse_convergence(results).points[0].stable_runs, 1) << "chance is not known";
  results.points[0].runs[0].measures->test_data = TestData{.samples = 100, .chance = 0.1};
  const ConvergeAnalysis analysis = analyse_convergence(results);
  EXPECT_EQ(analysis.points[0].stable_runs, 0);
  EXPECT_TRUE(analysis.lead->at_chance);
}

}  // namespace

}  // namespace convoy::study
