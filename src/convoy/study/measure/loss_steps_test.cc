#include "convoy/study/measure/loss_steps.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace convoy::study {
namespace {

StepRecord loss_step(std::int64_t number, std::int64_t epoch, double seconds, double loss, std::int64_t rank = 0,
                     std::int64_t samples = 10) {
  StepRecord record;
  record.step = number;
  record.epoch = epoch;
  record.rank = rank;
  record.samples = samples;
  record.loss = loss;
  record.seconds = seconds;
  return record;
}

EpochRecord epoch(std::int64_t number, std::int64_t end_step, double elapsed_seconds) {
  EpochRecord record;
  record.epoch = number;
  record.end_step = end_step;
  record.elapsed_seconds = elapsed_seconds;
  return record;
}

TEST(LossSteps, BeginWithTrainingAndWaitForEvaluations) {
  RunRecord run;
  run.steps = {loss_step(1, 1, 0.5, 4), loss_step(2, 1, 0.25, 3), loss_step(3, 2, 0.5, 2)};
  run.epochs = {epoch(1, 2, 10)};  // 9.25 s of them evaluated
  const auto steps = loss_steps(run);
  ASSERT_EQ(steps.size(), 3U);
  EXPECT_DOUBLE_EQ(steps[0].seconds, 0.5);
  EXPECT_DOUBLE_EQ(steps[1].seconds, 0.75);
  EXPECT_DOUBLE_EQ(steps[2].seconds, 10.5);
  EXPECT_DOUBLE_EQ(steps[2].samples, 30);
  EXPECT_DOUBLE_EQ(steps[2].loss, 2);
}

TEST(LossSteps, RanksCountBySamplesAndTheSlowestEndsTheStep) {
  RunRecord run;
  run.steps = {loss_step(1, 1, 0.5, 4, 0, 30), loss_step(1, 1, 0.75, 2, 1, 10), loss_step(2, 1, 1, 1, 1, 10),
               loss_step(2, 1, 0.25, std::numeric_limits<double>::quiet_NaN(), 0, 0)};
  const auto steps = loss_steps(run);
  ASSERT_EQ(steps.size(), 2U);
  EXPECT_DOUBLE_EQ(steps[0].seconds, 0.75);
  EXPECT_DOUBLE_EQ(steps[0].loss, (4 * 30 + 2 * 10) / 40.0);
  EXPECT_DOUBLE_EQ(steps[1].loss, 1) << "a rank without samples has no loss";
}

TEST(LossSteps, AHoleLeavesNone) {
  RunRecord run;
  run.steps = {loss_step(1, 1, 1, 4), loss_step(3, 1, 1, 2)};
  EXPECT_TRUE(loss_steps(run).empty());
  run.steps = {loss_step(2, 1, 1, 4)};
  EXPECT_TRUE(loss_steps(run).empty());
  run.steps = {loss_step(1, 1, 1, 4)};
  run.epochs = {epoch(1, 2, 10)};
  EXPECT_TRUE(loss_steps(run).empty()) << "the last one is missing";
}

}  // namespace
}  // namespace convoy::study
