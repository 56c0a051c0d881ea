#include "convoy/record/step_metrics.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace convoy {
namespace {

// All fields have different values.
StepMetrics first_step() {
  return {.samples = 3,
          .right = 1,
          .loss_sum = 6,
          .times = {.seconds = 10,
                    .compute_seconds = 20,
                    .input_wait_seconds = 30,
                    .exposed_communication_seconds = 40,
                    .straggler_wait_seconds = 50,
                    .communication_seconds = 60},
          .backward_seconds = 70,
          .cpu_seconds = 80};
}

TEST(StepMetrics, StepsAddUpInEveryField) {
  StepMetrics sum = first_step();
  sum += first_step();
  sum += {.samples = 1, .right = 1, .loss_sum = 0};
  EXPECT_EQ(sum.samples, 7);
  EXPECT_EQ(sum.right, 3);
  EXPECT_EQ(sum.loss_sum, 12);
  EXPECT_EQ(sum.times, (StepTimes{20, 40, 60, 80, 100, 120}));
  EXPECT_EQ(sum.backward_seconds, 140);
  EXPECT_EQ(sum.cpu_seconds, 160);
}

TEST(StepMetrics, MeansAreOverSamples) {
  EXPECT_DOUBLE_EQ(first_step().mean_loss(), 2);
  EXPECT_DOUBLE_EQ(first_step().accuracy(), 1.0 / 3);
  EXPECT_EQ(StepMetrics{}.mean_loss(), 0);
  EXPECT_EQ(StepMetrics{}.accuracy(), 0);
}

// These names must not change: all existing records use them.
TEST(StepTimes, AreVisitedByTheirNamesOnDisk) {
  std::vector<std::string> names;
  std::vector<double> values;
  const StepTimes times = first_step().times;
  visit_step_times(times, [&](const char* name, double value) {
    names.emplace_back(name);
    values.push_back(value);
  });
  EXPECT_EQ(names, (std::vector<std::string>{"seconds", "compute_seconds", "input_wait_seconds",
                                             "exposed_communication_seconds", "straggler_wait_seconds",
                                             "communication_seconds"}));
  EXPECT_EQ(values, (std::vector<double>{10, 20, 30, 40, 50, 60}));
}

}  // namespace
}  // namespace convoy
