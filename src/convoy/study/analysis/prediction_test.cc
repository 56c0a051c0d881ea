#include "convoy/study/analysis/prediction.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "convoy/study/analysis/small_results_test.h"

namespace convoy::study {
namespace {

// Throughput by Amdahl's law with a serial share of a tenth; turnarounds are 1000 divided by it.
double by_amdahl(double workers) { return 100 * workers / (1 + 0.1 * (workers - 1)); }

StudyResults amdahl_study(const std::vector<int>& workers) {
  StudyResults results;
  results.spec.price = 2;
  results.spec.currency = "EUR";
  for (const int n : workers) {
    std::vector<StudyRun> runs;
    for (const double noise : {0.999, 1.001}) {
      runs.push_back(run_with(noise * by_amdahl(n)));
      runs.back().outcome.turnaround_seconds = 1000 * 100 / (noise * by_amdahl(n));
      runs.back().measures->epoch_seconds = 500 / (noise * by_amdahl(n));
    }
    results.points.push_back(point_with({{"workers", std::to_string(n)}}, runs));
  }
  return results;
}

const Prediction& said_of(const std::vector<Prediction>& all, const std::string& quantity) {
  const auto found = std::ranges::find(all, quantity, &Prediction::quantity);
  EXPECT_NE(found, all.end()) << quantity;
  return *found;
}

TEST(Prediction, FollowsTheLawBeyondTheData) {
  const StudyResults results = amdahl_study({1, 2, 4, 8});
  const std::vector<std::int64_t> sizes = {16};
  const std::vector<Prediction> all = predict_scaling(results, analyse_scaling(results), sizes);
  ASSERT_EQ(all.size(), 4U);
  const Prediction& throughput = said_of(all, "throughput");
  ASSERT_TRUE(throughput.estimate) << throughput.reason;
  EXPECT_NEAR(throughput.estimate->value, by_amdahl(16), 2);
  EXPECT_LT(throughput.estimate->interval_95->low, by_amdahl(16));
  EXPECT_GT(throughput.estimate->interval_95->high, by_amdahl(16));
  EXPECT_DOUBLE_EQ(throughput.beyond, 2);
  EXPECT_NEAR(said_of(all, "turnaround").estimate->value, 1e5 / by_amdahl(16), 3);
  EXPECT_NEAR(said_of(all, "epoch time").estimate->value, 500 / by_amdahl(16), 0.02);
  const Prediction& cost = said_of(all, "cost of a run");
  EXPECT_EQ(cost.unit, "EUR");
  EXPECT_NEAR(cost.estimate->value, 16 * 2 * (1e5 / by_amdahl(16)) / 3600, 0.05);
  EXPECT_LT(cost.estimate->interval_95->low, cost.estimate->interval_95->high);
}

TEST(Prediction, NeedsEnoughSizes) {
  const StudyResults results = amdahl_study({1, 2});
  const std::vector<std::int64_t> sizes = {16};
  for (const Prediction& said : predict_scaling(results, analyse_scaling(results), sizes)) {
    EXPECT_FALSE(said.estimate) << said.quantity;
    EXPECT_FALSE(said.reason.empty()) << said.quantity;
  }
}

TEST(Prediction, OfALineOverDoublings) {
  std::vector<WorkersValue> values;
  for (const int workers : {1, 2, 4}) {
    for (const double noise : {-0.1, 0.1}) values.push_back({workers, 10 + 3 * std::log2(workers) + noise});
  }
  ConvergeAnalysis analysis;
  analysis.stable_trend = worker_trend(values);
  const std::vector<std::int64_t> sizes = {8};
  const std::vector<Prediction> all = predict_convergence(analysis, sizes);
  const Prediction& epochs = said_of(all, "epochs to stable accuracy");
  ASSERT_TRUE(epochs.estimate);
  EXPECT_NEAR(epochs.estimate->value, 19, 1e-9);
  EXPECT_LT(epochs.estimate->interval_95->low, 19);
  EXPECT_DOUBLE_EQ(epochs.beyond, 2);
  EXPECT_FALSE(said_of(all, "final accuracy").estimate) << "nothing was evaluated";
  values.resize(4);  // only two numbers of workers
  analysis.stable_trend = worker_trend(values);
  EXPECT_FALSE(said_of(predict_convergence(analysis, sizes), "epochs to stable accuracy").estimate);
}

}  // namespace
}  // namespace convoy::study
