#include "convoy/study/measure/run_measures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "convoy/base/error.h"
#include "convoy/base/odd_numbers_test.h"

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
  record.times.seconds = seconds;
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
  run.epochs = {epoch(1, 2, 10)};  // 9.25 s of them are evaluation
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

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

EpochRecord epoch(std::int64_t number, std::int64_t samples, double seconds, double elapsed) {
  return {.epoch = number,
          .end_step = 10 * number,
          .steps = 10,
          .samples = samples,
          .train_loss = 3.0 / static_cast<double>(number),
          .times = {.seconds = seconds},
          .samples_per_second = static_cast<double>(samples) / seconds,
          .cpu_use = 2,
          .peak_memory_bytes = 1000 * number,
          .elapsed_seconds = elapsed};
}

StepRecord step(std::int64_t number, std::int64_t of_epoch, std::int64_t rank, double seconds) {
  return {.step = number, .epoch = of_epoch, .rank = rank, .times = {.seconds = seconds}};
}

RunRecord three_epochs() {
  RunRecord run;
  run.info.ranks = 2;
  run.epochs = {epoch(1, 100, 50, 51), epoch(2, 100, 10, 62), epoch(3, 90, 20, 83)};
  run.epochs[1].cpu_use = 4;
  run.epochs[1].test_top1 = 0.5;
  run.summary.status = RunStatus::completed;
  run.summary.total_seconds = 85;
  return run;
}

TEST(RunMeasures, ThroughputIsAllSamplesOverAllSecondsOfCountedEpochs) {
  const RunMeasures measures = measure_run(three_epochs(), 1);
  EXPECT_EQ(measures.status, RunStatus::completed);
  EXPECT_EQ(measures.ranks, 2);
  EXPECT_EQ(measures.skipped_epochs, 1);
  EXPECT_THAT(measures.epoch_throughputs, ElementsAre(10, 4.5));
  ASSERT_TRUE(measures.throughput);
  EXPECT_DOUBLE_EQ(*measures.throughput, 190.0 / 30.0);  // not the mean of the two rates, 7.25
  EXPECT_DOUBLE_EQ(measures.cpu_use, (4 * 10 + 2 * 20) / 30.0);
  EXPECT_DOUBLE_EQ(measures.peak_memory_bytes, 3000);
  EXPECT_DOUBLE_EQ(measures.total_seconds, 85);
  EXPECT_THAT(measures.notes, IsEmpty());
}

TEST(RunMeasures, TheLearningRateIsTheHighestOfAnyStep) {
  RunRecord run;
  EXPECT_FALSE(measure_run(run, 0).learning_rate);
  run.steps = {loss_step(1, 1, 1, 1), loss_step(2, 1, 1, 1), loss_step(3, 1, 1, 1)};
  run.steps[0].learning_rate = 0.05;
  run.steps[1].learning_rate = 0.2;
  run.steps[2].learning_rate = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(measure_run(run, 0).learning_rate, 0.2);
}

TEST(RunMeasures, CurveHasEveryEpochWithWarmUp) {
  const RunMeasures measures = measure_run(three_epochs(), 2);
  ASSERT_EQ(measures.curve.size(), 3);
  EXPECT_EQ(measures.curve[1].epoch, 2);
  EXPECT_DOUBLE_EQ(measures.curve[1].seconds, 62);
  EXPECT_DOUBLE_EQ(measures.curve[1].samples, 200);
  EXPECT_DOUBLE_EQ(measures.curve[1].train_loss, 1.5);
  EXPECT_EQ(measures.curve[1].test_top1, 0.5);
  EXPECT_DOUBLE_EQ(measures.curve[2].samples, 290);
  EXPECT_FALSE(measures.curve[2].test_top1);
}

TEST(RunMeasures, StepsAreThoseOfTheSlowestRank) {
  RunRecord run = three_epochs();
  run.steps = {step(1, 1, 0, 9), step(1, 1, 1, 8), step(2, 2, 1, 2), step(2, 2, 0, 3), step(3, 3, 0, 5)};
  const RunMeasures measures = measure_run(run, 1);
  ASSERT_TRUE(measures.step_seconds);
  EXPECT_EQ(measures.step_seconds->count, 2);
  EXPECT_DOUBLE_EQ(measures.step_seconds->mean, 4);
  EXPECT_DOUBLE_EQ(measures.step_seconds->maximum, 5);
}

TEST(RunMeasures, SharesAreMeansOverRanksAndSumToOne) {
  RunRecord run = three_epochs();
  StepRecord a = step(20, 2, 0, 10);
  a.times.compute_seconds = 6;
  a.times.input_wait_seconds = 1;
  a.times.exposed_communication_seconds = 2;
  a.times.straggler_wait_seconds = 0.5;
  a.times.communication_seconds = 8;
  StepRecord b = step(20, 2, 1, 10);
  b.times.compute_seconds = 8;
  b.times.exposed_communication_seconds = 2;
  b.times.straggler_wait_seconds = 1.5;
  b.times.communication_seconds = 8;
  run.steps = {step(1, 1, 0, 1000), a, b};
  const RunMeasures measures = measure_run(run, 1);
  ASSERT_TRUE(measures.shares);
  const TimeShares& shares = *measures.shares;
  EXPECT_DOUBLE_EQ(shares.compute, 0.7);
  EXPECT_DOUBLE_EQ(shares.exposed_communication, 0.1);
  EXPECT_DOUBLE_EQ(shares.straggler_wait, 0.1);
  EXPECT_DOUBLE_EQ(shares.input_wait, 0.05);
  EXPECT_NEAR(shares.other, 0.05, 1e-12);
  EXPECT_EQ(measures.hidden_share, 0.75);
}

TEST(RunMeasures, PartsThatExceedTheWholeByARoundingStillSumToOne) {
  RunRecord run = three_epochs();
  StepRecord a = step(1, 1, 0, 1);
  a.times.compute_seconds = 0.8;
  a.times.input_wait_seconds = 0.3;
  run.steps = {a};
  const auto shares = measure_run(run, 0).shares;
  ASSERT_TRUE(shares);
  EXPECT_NEAR(shares->compute + shares->input_wait, 1, 1e-12);
  EXPECT_EQ(shares->other, 0);
}

TEST(RunMeasures, WithoutCommunicationNothingIsHidden) {
  RunRecord run = three_epochs();
  run.steps = {step(1, 1, 0, 1)};
  EXPECT_FALSE(measure_run(run, 0).hidden_share);
}

TEST(RunMeasures, OnlyWarmUpEpochsGiveANoteAndNoThroughput) {
  const RunMeasures measures = measure_run(three_epochs(), 3);
  EXPECT_FALSE(measures.throughput);
  EXPECT_THAT(measures.epoch_throughputs, IsEmpty());
  EXPECT_EQ(measures.skipped_epochs, 3);
  EXPECT_THAT(measures.notes, ElementsAre(HasSubstr("all 3 epochs are skipped")));
  EXPECT_EQ(measure_run(three_epochs(), 9).skipped_epochs, 3);
}

TEST(RunMeasures, ARunWithoutEpochsHasNoThroughput) {
  RunRecord run;
  run.summary.status = RunStatus::failed;
  run.summary.reason = "out of memory";
  const RunMeasures measures = measure_run(run, 1);
  EXPECT_EQ(measures.reason, "out of memory");
  EXPECT_FALSE(measures.throughput);
  EXPECT_FALSE(measures.step_seconds);
  EXPECT_FALSE(measures.shares);
  EXPECT_EQ(measures.total_seconds, 0);
  EXPECT_THAT(measures.curve, IsEmpty());
  EXPECT_THAT(measures.notes, ElementsAre(HasSubstr("no epoch was finished")));
}

TEST(RunMeasures, StepsOfAnUnfinishedEpochCountUnlessItWouldBeWarmUp) {
  RunRecord run;
  run.epochs = {epoch(1, 100, 10, 10)};
  run.steps = {step(1, 1, 0, 1), step(2, 2, 0, 7)};
  const RunMeasures counted = measure_run(run, 1);
  ASSERT_TRUE(counted.step_seconds);
  EXPECT_DOUBLE_EQ(counted.step_seconds->mean, 7);
  EXPECT_FALSE(measure_run(run, 2).step_seconds);
}

TEST(RunMeasures, WhatIsNullInTheRecordIsNotKnown) {
  RunRecord run = three_epochs();
  run.summary.total_seconds = kNan;
  run.epochs[1].cpu_use = kNan;
  run.epochs[2].times.seconds = kNan;
  run.epochs[1].test_top1 = kNan;
  run.epochs[2].train_loss = kNan;
  run.notes = {"a line was cut short"};
  const RunMeasures measures = measure_run(run, 1);
  EXPECT_THAT(measures.epoch_throughputs, ElementsAre(10));
  EXPECT_EQ(measures.throughput, 10);
  EXPECT_EQ(measures.cpu_use, 0);
  EXPECT_EQ(measures.total_seconds, 83);
  EXPECT_FALSE(measures.curve[1].test_top1);
  EXPECT_TRUE(std::isnan(measures.curve[2].train_loss));
  EXPECT_THAT(measures.notes, Contains("a line was cut short"));
  EXPECT_THAT(measures.notes, Contains(HasSubstr("do not count: 1")));
}

TEST(RunMeasures, DurationsThatCannotBeDoNotCount) {
  RunRecord run = three_epochs();
  run.epochs[1].times.seconds = 1e300;  // a rate of 1e-298
  run.steps = {step(1, 2, 0, 1e300), step(2, 2, 0, 0.5)};
  const RunMeasures measures = measure_run(run, 1);
  EXPECT_THAT(measures.epoch_throughputs, ElementsAre(4.5));
  EXPECT_DOUBLE_EQ(*measures.throughput, 4.5);
  EXPECT_DOUBLE_EQ(measures.step_seconds->mean, 0.5);
  EXPECT_THAT(measures.notes, Contains(HasSubstr("without a duration that do not count: 1")));
  run.epochs[2].samples = 0;
  EXPECT_FALSE(measure_run(run, 1).throughput) << "nothing was trained on";
}

TEST(RunMeasures, HasTheLossOfEveryStep) {
  RunRecord run = three_epochs();
  run.epochs.resize(1);
  for (std::int64_t i = 1; i <= 10; ++i) run.steps.push_back(step(i, 1, 0, 0.5));
  EXPECT_EQ(measure_run(run, 0).loss_steps.size(), 10U);
  run.info.configuration = {{"imported", true}};
  EXPECT_TRUE(measure_run(run, 0).loss_steps.empty()) << "its steps are lines of a log";
}

TEST(RunMeasures, LinesOfAnImportAreNoSteps) {
  RunRecord run = three_epochs();
  run.info.configuration = {{"imported", true}, {"notes", {"10 lines"}}};
  run.steps = {step(1, 1, 0, 50), step(2, 2, 0, 10), step(2, 2, 1, 5), step(3, 3, 0, 20)};
  const RunMeasures measures = measure_run(run, 1);
  EXPECT_TRUE(measures.imported);
  EXPECT_FALSE(measures.step_seconds);
  EXPECT_FALSE(measures.shares);
  EXPECT_THAT(measures.line_throughputs, ElementsAre(10, 20, 4.5));
  EXPECT_THAT(measures.epoch_throughputs, ElementsAre(10, 4.5));
  EXPECT_THAT(measures.notes, ElementsAre("10 lines"));
}

// A fast epoch has one line and a slow one four, so the mean over all lines is below the throughput of the slowest
// worker.
TEST(RunMeasures, WithinAnEpochTheSlowestIsNeverTheLargerReading) {
  RunRecord run = three_epochs();
  run.info.configuration = {{"imported", true}};
  run.steps = {step(2, 2, 0, 10), step(3, 3, 0, 20), step(3, 3, 1, 20), step(3, 3, 2, 20), step(3, 3, 3, 18)};
  const RunMeasures measures = measure_run(run, 1);
  EXPECT_LT(mean(measures.line_throughputs), mean(measures.epoch_throughputs));
  ASSERT_EQ(measures.line_excess.size(), 2U);
  EXPECT_DOUBLE_EQ(measures.line_excess[0], 0);
  EXPECT_NEAR(measures.line_excess[1], (3 * 4.5 + 5) / 4 / 4.5 - 1, 1e-12);
}

TEST(RunMeasures, ASingleWorkerDoesNotCommunicate) {
  RunRecord run = three_epochs();
  run.info.ranks = 1;
  StepRecord alone = step(1, 1, 0, 10);
  alone.times.compute_seconds = 8;
  alone.times.exposed_communication_seconds = alone.times.communication_seconds = 2;
  run.steps = {alone};
  const RunMeasures measures = measure_run(run, 0);
  ASSERT_TRUE(measures.shares);
  EXPECT_EQ(measures.shares->exposed_communication, 0);
  EXPECT_DOUBLE_EQ(measures.shares->other, 0.2);
  EXPECT_FALSE(measures.hidden_share);
}

TEST(RunMeasures, NegativeWarmUpIsRefused) { EXPECT_THROW((void)measure_run({}, -1), InternalError); }

}  // namespace

}  // namespace convoy::study
