#include "convoy/study/analysis/analysis_json.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "convoy/study/analysis/small_results_test.h"

namespace convoy::study {
namespace {

TEST(AnalysisJson, HasThePointsAndTheirStatistics) {
  StudyResults results;
  results.spec = {.kind = StudyKind::scale, .settings = {{"batch", "64"}, {"scaling", "weak"}}, .price = 360};
  results.points = {point_with({{"workers", "2"}}, {run_with(90), run_with(110), failed_run("killed")}),
                    point_with({{"workers", "4"}}, {run_with(100)}, true)};
  const auto json = to_json(analyse(results));
  EXPECT_EQ(json["kind"], "scale");
  ASSERT_EQ(json["points"].size(), 2U);
  const auto& two = json["points"][0];
  EXPECT_EQ(two["point"]["workers"], "2");
  EXPECT_EQ(two["global_batch"], 128);
  EXPECT_EQ(two["runs"], 2);
  EXPECT_EQ(two["failed_runs"], 1);
  EXPECT_EQ(two["samples_per_second"]["mean"], 100.0);
  EXPECT_EQ(two["turnaround_seconds"]["mean"], 10.0);
  EXPECT_EQ(two["cost"], 1.0) << "ten seconds of one rank";
  EXPECT_FALSE(two.contains("time_shares"));
  const auto& four = json["points"][1];
  EXPECT_TRUE(four["oversubscribed"].get<bool>());
  EXPECT_TRUE(four["samples_per_second"]["high_95"].is_null()) << "one run has no interval";
  EXPECT_EQ(four["samples_per_second"]["interval_from"], "none");
  EXPECT_EQ(two["samples_per_second"]["interval_from"], "values");
  EXPECT_GT(two["samples_per_second"]["low_95"], 0.0);
}

}  // namespace
}  // namespace convoy::study
