#include "convoy/study/analysis/scale_analysis.h"

#include <gtest/gtest.h>

#include <cmath>

#include "convoy/study/analysis/small_results_test.h"

namespace convoy::study {
namespace {

StudyRun stepping(double throughput, double step_seconds) {
  StudyRun run = run_with(throughput);
  run.measures->step_seconds = summarize(std::vector<double>{step_seconds, step_seconds});
  run.measures->shares = TimeShares{.compute = 0.75, .exposed_communication = 0.25};
  return run;
}

// Weak and strong scaling with a common base, and four workers on two cores.
StudyResults weak_and_strong() {
  StudyResults results;
  results.spec = {.kind = StudyKind::scale, .settings = {{"batch", "64"}}, .price = 2, .cores = 2};
  results.points = {point_with({{"workers", "1"}}, {stepping(90, 0.6), stepping(110, 0.5)}),
                    point_with({{"scaling", "strong"}, {"workers", "2"}}, {stepping(150, 0.4), stepping(170, 0.4)}),
                    point_with({{"scaling", "strong"}, {"workers", "4"}}, {stepping(120, 0.5)}, true),
                    point_with({{"scaling", "weak"}, {"workers", "2"}}, {stepping(190, 0.7), failed_run("killed")})};
  return results;
}

TEST(ScaleAnalysis, SeriesShareTheirBase) {
  const ScaleAnalysis analysis = analyse_scaling(weak_and_strong());
  EXPECT_EQ(analysis.size_key, "workers");
  EXPECT_TRUE(analysis.any_oversubscribed);
  ASSERT_EQ(analysis.series.size(), 2U);
  EXPECT_EQ(analysis.series[0].name, "strong");
  EXPECT_EQ(analysis.series[1].name, "weak");
  ASSERT_EQ(analysis.series[0].points.size(), 3U);
  ASSERT_EQ(analysis.series[1].points.size(), 2U);
  EXPECT_TRUE(analysis.series[1].is_weak);
  for (const ScaleSeries& series : analysis.series) {
    EXPECT_EQ(series.base_size, 1);
    EXPECT_EQ(series.points[0].statistics.throughput->mean, 100);
    EXPECT_EQ(series.points[0].speed_up, 1);
    EXPECT_EQ(series.points[0].global_batch, 64);
  }
}

TEST(ScaleAnalysis, SpeedUpAndEfficiencyFollowTheirDefinitions) {
  const ScaleAnalysis analysis = analyse_scaling(weak_and_strong());
  const ScalePoint& strong = analysis.series[0].points[1];
  EXPECT_DOUBLE_EQ(*strong.speed_up, 1.6);
  EXPECT_DOUBLE_EQ(*strong.efficiency, 0.8);
  EXPECT_DOUBLE_EQ(*strong.time_efficiency, 0.55 / 0.4);
  EXPECT_EQ(strong.global_batch, 64);
  const ScalePoint& weak = analysis.series[1].points[1];
  EXPECT_DOUBLE_EQ(*weak.efficiency, 0.95);
  EXPECT_EQ(weak.global_batch, 128);
  EXPECT_EQ(weak.statistics.failed, 1);
  EXPECT_EQ(weak.statistics.runs, 1);
  EXPECT_EQ(weak.statistics.throughput->interval_from, IntervalBasis::pooled) << "one run says nothing of its spread";
  EXPECT_TRUE(analysis.series[0].points[2].oversubscribed);
}

TEST(ScaleAnalysis, OversubscribedPointsAreNoEvidenceForALaw) {
  const ScaleAnalysis analysis = analyse_scaling(weak_and_strong());
  EXPECT_FALSE(analysis.series[0].universal.fit) << "two sizes are left";
  EXPECT_FALSE(analysis.series[0].amdahl.fit);
}

TEST(ScaleAnalysis, AmdahlsLawIsFittedToStrongScalingOnly) {
  StudyResults results;
  results.spec = {.axes = {{"workers", {"1", "2", "4"}}}, .settings = {{"scaling", "strong"}}, .cores = 4};
  for (const auto& [workers, throughput] : {std::pair{"1", 100.0}, {"2", 180.0}, {"4", 300.0}}) {
    results.points.push_back(point_with({{"workers", workers}}, {run_with(throughput), run_with(throughput + 1)}));
  }
  EXPECT_TRUE(analyse_scaling(results).series[0].amdahl.fit);
  results.spec.settings["scaling"] = "weak";
  const ScaleSeries weak = analyse_scaling(results).series[0];
  EXPECT_FALSE(weak.amdahl.fit);
  EXPECT_NE(weak.amdahl.reason.find("weak scaling"), std::string::npos);
  results.spec.settings.erase("scaling");
  EXPECT_TRUE(analyse_scaling(results).series[0].amdahl.fit) << "strong is the default";
  results.spec.kind = StudyKind::imported;
  const ScaleSeries unknown = analyse_scaling(results).series[0];
  EXPECT_FALSE(unknown.amdahl.fit);
  EXPECT_NE(unknown.amdahl.reason.find("the logs do not say"), std::string::npos);
}

TEST(ScaleAnalysis, CostIsWorkersTimesPriceTimesHours) {
  StudyResults results = weak_and_strong();
  for (StudyRun& run : results.points[1].runs) {
    run.measures->ranks = 2;
    run.outcome.turnaround_seconds = 1800;
  }
  const ScaleAnalysis analysis = analyse_scaling(results);
  EXPECT_DOUBLE_EQ(*analysis.series[0].points[1].statistics.cost, 2 * 2 * 0.5);
}

TEST(ScaleAnalysis, ThreadsAreTheSizeWhereTheyAloneVary) {
  StudyResults results;
  results.spec = {.axes = {{"workers", {"1"}}, {"threads", {"1", "2"}}}, .cores = 2};
  results.points = {point_with({{"threads", "1"}, {"workers", "1"}}, {run_with(100)}),
                    point_with({{"threads", "2"}, {"workers", "1"}}, {run_with(180)})};
  const ScaleAnalysis analysis = analyse_scaling(results);
  EXPECT_EQ(analysis.size_key, "threads");
  ASSERT_EQ(analysis.series.size(), 1U);
  EXPECT_EQ(analysis.series[0].name, "");
  EXPECT_DOUBLE_EQ(*analysis.series[0].points[1].efficiency, 0.9);
}

TEST(ScaleAnalysis, WithoutAnyMeasuredRunThereIsNoBase) {
  StudyResults results;
  results.points = {point_with({{"workers", "1"}}, {failed_run("no data")})};
  const ScaleAnalysis analysis = analyse_scaling(results);
  ASSERT_EQ(analysis.series.size(), 1U);
  EXPECT_EQ(analysis.series[0].base_size, 0);
  EXPECT_FALSE(analysis.series[0].points[0].speed_up);
  EXPECT_FALSE(analysis.series[0].amdahl.fit);
  EXPECT_TRUE(analyse_scaling(StudyResults{}).series.empty());
}

TEST(ScaleAnalysis, WhatALogDoesNotSayIsASeriesOfItsOwn) {
  StudyResults results;
  results.spec.kind = StudyKind::imported;
  results.points = {point_with({{"batch", "64"}, {"workers", "1"}}, {run_with(100)}),
                    point_with({{"batch", "256"}, {"workers", "1"}}, {run_with(400)}),
                    point_with({{"batch", "unknown"}, {"workers", "2"}}, {run_with(800)}),
                    point_with({{"batch", "unknown"}, {"workers", "4"}}, {run_with(1200)}),
                    point_with({{"batch", "64"}, {"workers", "unknown"}}, {run_with(700)})};
  const ScaleAnalysis analysis = analyse_scaling(results);
  ASSERT_EQ(analysis.series.size(), 4U);
  EXPECT_EQ(analysis.series[0].name, "batch 64");
  EXPECT_EQ(analysis.series[1].name, "batch 256");
  EXPECT_EQ(analysis.series[2].name, "batch unknown");
  EXPECT_EQ(analysis.series[3].name, "batch 64, workers unknown");
  EXPECT_EQ(analysis.series[0].points.size(), 1U);
  const ScaleSeries& unknown = analysis.series[2];
  EXPECT_EQ(unknown.base_size, 2);
  EXPECT_DOUBLE_EQ(*unknown.points[1].efficiency, 0.75);
  EXPECT_EQ(unknown.points[0].global_batch, 0);
  EXPECT_EQ(unknown.points[0].threads, 0) << "no log says";
  const ScaleSeries& sizeless = analysis.series[3];
  EXPECT_EQ(sizeless.base_size, 0);
  EXPECT_EQ(sizeless.points[0].size, 0);
  EXPECT_FALSE(sizeless.points[0].speed_up);
  EXPECT_FALSE(sizeless.points[0].efficiency);
  EXPECT_FALSE(sizeless.amdahl.fit);
}

StudyResults disturbed_at(std::size_t place) {
  StudyResults results = weak_and_strong();
  for (StudyRun& run : results.points[place].runs) run.measures->disturbance = "others used 1 of 2 cores";
  return results;
}

TEST(ScaleAnalysis, NothingIsComparedWithADisturbedBase) {
  const ScaleAnalysis analysis = analyse_scaling(disturbed_at(0));
  EXPECT_TRUE(analysis.any_disturbed);
  for (const ScaleSeries& series : analysis.series) {
    EXPECT_TRUE(series.base_is_disturbed);
    EXPECT_TRUE(series.points[0].is_doubtful());
    for (const ScalePoint& point : series.points) {
      EXPECT_FALSE(point.speed_up);
      EXPECT_FALSE(point.efficiency);
      EXPECT_FALSE(point.verdict);
    }
  }
}

TEST(ScaleAnalysis, ADisturbedPointIsNotExplainedAndNotFitted) {
  const ScaleSeries strong = analyse_scaling(disturbed_at(1)).series[0];
  EXPECT_FALSE(strong.base_is_disturbed);
  EXPECT_TRUE(strong.points[1].efficiency) << "shown, with its mark";
  EXPECT_TRUE(strong.points[1].is_disturbed());
  EXPECT_FALSE(strong.points[1].verdict);
  EXPECT_FALSE(strong.amdahl.fit) << "the base alone is left";
}

TEST(ScaleAnalysis, SpeedUpAndEfficiencyHaveTheIntervalOfTheRatio) {
  const ScaleSeries strong = analyse_scaling(weak_and_strong()).series[0];
  const ScalePoint& base = strong.points[0];
  const ScalePoint& point = strong.points[1];
  ASSERT_TRUE(base.statistics.throughput->has_interval() && point.statistics.throughput->has_interval());
  EXPECT_FALSE(base.speed_up_95) << "1 by definition";
  const auto log_half = [](const Summary& seen) { return std::log(seen.high_95 / seen.mean); };
  const double factor =
      std::exp(std::hypot(log_half(*base.statistics.throughput), log_half(*point.statistics.throughput)));
  ASSERT_TRUE(point.speed_up_95);
  EXPECT_NEAR(point.speed_up_95->low, *point.speed_up / factor, 1e-9);
  EXPECT_NEAR(point.speed_up_95->high, *point.speed_up * factor, 1e-9);
  ASSERT_TRUE(point.efficiency_95);
  EXPECT_NEAR(point.efficiency_95->high, *point.efficiency * factor, 1e-9);
}

TEST(ScaleAnalysis, SingleRunsHaveNoIntervalOfTheSpeedUp) {
  StudyResults results = weak_and_strong();
  for (PointResult& point : results.points) point.runs.resize(1);
  const ScalePoint point = analyse_scaling(results).series[0].points[1];
  EXPECT_TRUE(point.speed_up);
  EXPECT_FALSE(point.speed_up_95);
  EXPECT_FALSE(point.efficiency_95);
}

TEST(ScaleAnalysis, EfficiencyThatCannotBeIsDoubted) {
  StudyResults results = weak_and_strong();
  for (StudyRun& run : results.points[1].runs) *run.measures->throughput *= 3;
  const ScaleSeries strong = analyse_scaling(results).series[0];
  EXPECT_DOUBLE_EQ(*strong.points[1].efficiency, 2.4);
  EXPECT_TRUE(strong.points[1].beyond_linear);
  EXPECT_FALSE(strong.points[0].beyond_linear);
  for (StudyRun& run : results.points[1].runs) *run.measures->throughput *= 1.1 / 2.4;
  EXPECT_FALSE(analyse_scaling(results).series[0].points[1].beyond_linear) << "1.1 is within its interval";
}

}  // namespace
}  // namespace convoy::study
