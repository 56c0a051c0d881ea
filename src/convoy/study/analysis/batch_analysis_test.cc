#include "convoy/study/analysis/batch_analysis.h"

#include <gtest/gtest.h>

#include <vector>

namespace convoy::study {
namespace {

PointResult measured(Point point, double throughput) {
  RunMeasures measures;
  measures.throughput = throughput;
  PointResult result{.point = std::move(point), .runs = {}};
  result.runs.push_back({.outcome = {}, .measures = std::move(measures), .trouble = {}});
  return result;
}

TEST(BatchAnalysis, MakesASeriesForEachCombinationOfTheOtherSettings) {
  StudyResults results;
  results.points = {
      measured({{"batch", "128"}, {"workers", "1"}}, 100), measured({{"batch", "64"}, {"workers", "1"}}, 98),
      measured({{"batch", "64"}, {"workers", "2"}}, 120), measured({{"batch", "128"}, {"workers", "2"}}, 200)};
  const auto series = analyse_batches(results).series;
  ASSERT_EQ(series.size(), 2U);
  EXPECT_EQ(series[0].name, "workers 1");
  EXPECT_EQ(series[0].points[0].batch, 64);
  ASSERT_TRUE(series[0].advice);
  EXPECT_EQ(series[0].advice->batch, 64);
  ASSERT_TRUE(series[1].advice);
  EXPECT_EQ(series[1].advice->batch, 128);
}

TEST(BatchAnalysis, WithoutAMeasuredPointAdvisesNothing) {
  StudyResults results;
  PointResult failed{.point = {{"batch", "64"}}, .runs = {}};
  failed.runs.push_back({.outcome = {}, .measures = {}, .trouble = "failed"});
  results.points = {failed};
  const auto series = analyse_batches(results).series;
  ASSERT_EQ(series.size(), 1U);
  EXPECT_EQ(series[0].name, "");
  EXPECT_FALSE(series[0].advice);
  EXPECT_EQ(series[0].points[0].statistics.failed, 1);
}

}  // namespace
}  // namespace convoy::study
