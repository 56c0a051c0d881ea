#include "convoy/record/run_summary.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "convoy/base/error.h"
#include "convoy/base/odd_numbers_test.h"
#include "convoy/base/throws_with_test.h"
#include "convoy/record/json_fields.h"

namespace convoy {
namespace {

using Json = nlohmann::ordered_json;

RunSummary there_and_back(const RunSummary& summary) {
  return run_summary_from(parse_json(json_file_text(to_json(summary))));
}

std::vector<EpochRecord> three_epochs() {
  std::vector<EpochRecord> epochs(3);
  for (int i = 0; i < 3; ++i) {
    epochs[i] = {.epoch = i + 1, .end_step = 10 * (i + 1), .steps = 10, .samples = 100};
    epochs[i].elapsed_seconds = 7.0 * (i + 1);
  }
  return epochs;
}

RunSummary full_summary() {
  RunSummary summary;
  summary.status = RunStatus::interrupted;
  summary.reason = "signal 15";
  summary.finished = "2026-11-16T04:02:11Z";
  summary.epochs = 3;
  summary.steps = 34;
  summary.samples = 340;
  summary.best_epoch = 2;
  summary.best_test_top1 = 0.9;
  summary.train_loss = 0.3;
  summary.train_accuracy = 0.8;
  summary.test_loss = 0.4;
  summary.test_top1 = 0.85;
  summary.test_top5 = 0.99;
  summary.classes = {"cat", "dog"};
  summary.class_accuracy = {0.5, 1};
  summary.confusion = {{1, 1}, {0, 2}};
  summary.total_seconds = 12.5;
  summary.throughput = {.epochs = 2, .skipped_epochs = 1, .median = 10, .mean = 11, .cv = 0.1};
  summary.peak_memory_bytes = 1LL << 33U;
  return summary;
}

TEST(RunSummaryTest, ComesBackFromJson) {
  EXPECT_EQ(there_and_back(full_summary()), full_summary());
  RunSummary little;
  EXPECT_EQ(there_and_back(little), little);
}

TEST(RunSummaryTest, EveryStatusHasAText) {
  for (const char* text : {"running", "completed", "interrupted", "diverged", "failed"}) {
    Json json = to_json(full_summary());
    json["status"] = text;
    EXPECT_EQ(to_text(run_summary_from(json).status), text);
  }
  Json json = to_json(full_summary());
  json["status"] = "dreaming";
  EXPECT_TRUE(throws_with<DataError>([&] { (void)run_summary_from(json); }, "'dreaming'"));
}

TEST(RunSummaryTest, WhatIsNotFiniteComesBackAsNan) {
  RunSummary summary = full_summary();
  summary.train_loss = std::numeric_limits<double>::infinity();
  summary.class_accuracy = {kNan, 1};
  const RunSummary back = there_and_back(summary);
  ASSERT_TRUE(back.train_loss.has_value());
  EXPECT_TRUE(std::isnan(*back.train_loss));
  EXPECT_TRUE(std::isnan(back.class_accuracy[0]));
  EXPECT_EQ(back.class_accuracy[1], 1);
}

TEST(RunSummaryTest, WrongFieldsAreRefused) {
  for (const char* name : {"epochs", "steps", "reason", "total_seconds", "throughput", "class_accuracy", "confusion",
                           "best_epoch", "test_top1", "peak_memory_bytes"}) {
    Json json = to_json(full_summary());
    json[name] = "no";
    if (std::string(name) == "reason") json[name] = 1;
    EXPECT_THROW((void)run_summary_from(json), DataError) << name;
  }
}

TEST(RunSummaryTest, EpochsGiveBestLastAndTotals) {
  std::vector<EpochRecord> epochs = three_epochs();
  epochs[0].test_top1 = 0.7;
  epochs[1].test_top1 = 0.7;  // not better
  epochs[1].test_loss = 0.6;
  epochs[1].peak_memory_bytes = 50;
  epochs[2].train_loss = 0.25;
  epochs[2].train_accuracy = 0.9;
  const RunSummary summary = summarize_epochs(epochs);
  EXPECT_EQ(summary.status, RunStatus::running);
  EXPECT_EQ(summary.epochs, 3);
  EXPECT_EQ(summary.steps, 30);
  EXPECT_EQ(summary.samples, 300);
  EXPECT_EQ(summary.best_epoch, 1);
  EXPECT_EQ(summary.best_test_top1, 0.7);
  EXPECT_EQ(summary.test_loss, 0.6) << "of the last evaluation, not of the last epoch";
  EXPECT_EQ(summary.train_loss, 0.25);
  EXPECT_EQ(summary.train_accuracy, 0.9);
  EXPECT_EQ(summary.peak_memory_bytes, 50);
  EXPECT_EQ(summary.total_seconds, 21);
}

TEST(RunSummaryTest, NoEpochsGiveNothing) {
  const RunSummary summary = summarize_epochs({});
  EXPECT_EQ(summary.epochs, 0);
  EXPECT_FALSE(summary.best_epoch.has_value());
  EXPECT_FALSE(summary.train_loss.has_value());
  EXPECT_TRUE(std::isnan(summary.throughput.median));
}

TEST(ThroughputTest, LeavesOutWarmUpAndWhatIsNotFinite) {
  std::vector<EpochRecord> epochs(5);
  const double rates[] = {1, 100, kNan, 110, 130};
  for (int i = 0; i < 5; ++i) epochs[i].samples_per_second = rates[i];
  const Throughput throughput = throughput_of(epochs, 1);
  EXPECT_EQ(throughput.epochs, 3);
  EXPECT_EQ(throughput.skipped_epochs, 1);
  EXPECT_DOUBLE_EQ(throughput.median, 110);
  EXPECT_DOUBLE_EQ(throughput.mean, 340.0 / 3);
  EXPECT_NEAR(throughput.cv, 0.134782, 1e-6);  // sample deviation 15.27525 by hand
  EXPECT_DOUBLE_EQ(throughput_of(epochs).median, 105);
  const Throughput none = throughput_of(epochs, 9);
  EXPECT_EQ(none.epochs, 0);
  EXPECT_EQ(none.skipped_epochs, 5);
  EXPECT_TRUE(std::isnan(none.mean));
}

}  // namespace
}  // namespace convoy
