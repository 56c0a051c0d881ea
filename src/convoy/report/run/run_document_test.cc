#include "convoy/report/run/run_document.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "convoy/report/document_search_test.h"
#include "convoy/report/sample_runs_test.h"

namespace convoy::report {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(RunDocument, OfOneRun) {
  const Document document = runs_document({sample_record("runs/first")});
  expect_sound(document);
  EXPECT_EQ(document.title, "Run first");
  EXPECT_THAT(section_ids(document), ElementsAre("summary", "loss", "accuracy", "error", "learning-rate", "cpu-use",
                                                 "shares", "classes", "measured"));
  EXPECT_THAT(words_of(document.sections[0]),
              AllOf(HasSubstr("test accuracy = 70.0 % (error 30.0 %; best 70.0 % in epoch 3)"),
                    HasSubstr("throughput = 100.0 samples/s (2 epochs counted)"), Not(HasSubstr("Different"))));
  const Table& runs = table_of(document, "runs");
  EXPECT_EQ(cell_of(runs, {"first"}, "batch"), "64");
  EXPECT_EQ(cell_of(runs, {"first"}, "workers"), "2");
  EXPECT_EQ(cell_of(runs, {"first"}, "peak memory"), "32 MiB");
  EXPECT_EQ(cell_of(runs, {"first"}, "state"), "completed");
  EXPECT_DOUBLE_EQ(line_of(chart_of<LineChart>(document, "accuracy-time"), "test").points[2].x, 30);
  EXPECT_NEAR(line_of(chart_of<LineChart>(document, "error-epochs"), "test").points[2].y, 30, 1e-9);
  const Table& learning = table_of(document, "learning");
  EXPECT_EQ(cell_of(learning, {"first"}, "train accuracy (%)"), "75.0");
  EXPECT_EQ(cell_of(learning, {"first"}, "test error (%)"), "30.0");
  EXPECT_EQ(cell_of(learning, {"first"}, "gap (points)"), "5.0");
  EXPECT_EQ(cell_of(learning, {"first"}, "overfitting"), "unknown");  // three evaluations without a loss
  EXPECT_EQ(cell_of(learning, {"first"}, "global batch"), "64");
  EXPECT_EQ(cell_of(learning, {"first"}, "epoch (s)"), "10.00");
  EXPECT_EQ(cell_of(learning, {"first"}, "total (s)"), "30.00");
  EXPECT_DOUBLE_EQ(line_of(chart_of<LineChart>(document, "accuracy-epochs"), "test").points[2].y, 70);
  // Of 10 s, 8 are computing, 1 is communication, a quarter of it waiting for stragglers, and 0.5 is waiting for input.
  EXPECT_THAT(chart_of<StackedBarChart>(document, "shares").stacks[0].amounts,
              ElementsAre(::testing::DoubleEq(80), ::testing::DoubleEq(7.5), ::testing::DoubleEq(2.5),
                          ::testing::DoubleEq(5), ::testing::DoubleNear(5, 1e-9)));
  EXPECT_EQ(chart_of<RankChart>(document, "classes").bars[1].name, "dog");
  EXPECT_DOUBLE_EQ(chart_of<RankChart>(document, "classes").bars[1].bar.value, 75);
}

// Two workers on a machine; the second has twice as much memory.
RunRecord sampled_record(int seconds) {
  RunRecord run = sample_record("runs/sampled");
  run.info.hosts.resize(1);
  for (int second = 1; second <= seconds; ++second) {
    for (const std::int64_t rank : {0, 1}) {
      UsageRecord& record = run.usage.emplace_back();
      record.seconds = second + 0.1;
      record.rank = rank;
      record.cpu_use = second % 2 == 0 ? 0.5 : 1.0;
      record.memory_bytes = (rank + 1) * (50LL << 20);
      if (rank == 0) record.machine_cpu_use = 3;
      if (rank == 0) record.received_bytes_per_second = 2e6;
      if (rank == 0) record.sent_bytes_per_second = 1e6;
    }
  }
  return run;
}

TEST(RunDocument, DrawsUsageOfEachWorkerAndTheMachine) {
  const Document document = runs_document({sampled_record(4)});
  expect_sound(document);
  EXPECT_FALSE(has_section(document, "cpu-use"));
  const auto& cpu = chart_of<LineChart>(document, "usage-cpu");
  ASSERT_EQ(line_of(cpu, "worker 1").points.size(), 4U);
  EXPECT_DOUBLE_EQ(line_of(cpu, "worker 1").points[1].x, 2);
  EXPECT_DOUBLE_EQ(line_of(cpu, "worker 1").points[1].y, 0.5);
  EXPECT_DOUBLE_EQ(line_of(cpu, "whole machine").points[1].y, 3);
  EXPECT_DOUBLE_EQ(line_of(cpu, "hardware threads of the machine").points[0].y, 8) << "the axis reaches them";
  EXPECT_DOUBLE_EQ(line_of(chart_of<LineChart>(document, "usage-memory"), "worker 1").points[0].y, 100);
  EXPECT_DOUBLE_EQ(line_of(chart_of<LineChart>(document, "usage-network"), "sent").points[0].y, 1);
  EXPECT_EQ(cell_of(table_of(document, "usage"), {"0"}, "CPU use (cores)"), "0.75");
  EXPECT_EQ(cell_of(table_of(document, "usage"), {"0"}, "received (MB/s)"), "2.00");
  EXPECT_EQ(cell_of(table_of(document, "usage"), {"1"}, "machine's CPU use (cores)"), "-");
}

TEST(RunDocument, OfALongRunDrawsMeansOfUsage) {
  const Document document = runs_document({sampled_record(900)});
  const auto& points = line_of(chart_of<LineChart>(document, "usage-cpu"), "worker 0").points;
  EXPECT_LE(points.size(), 241U);
  EXPECT_DOUBLE_EQ(points[1].x, 4);
  EXPECT_DOUBLE_EQ(points[1].y, 0.75);
  EXPECT_THAT(figure_of(document, "usage-cpu").definition, HasSubstr("Each point is a mean over 4 s"));
}

TEST(RunDocument, OfManyWorkersDrawsABand) {
  RunRecord run = sample_record("runs/many");
  for (int second = 1; second <= 3; ++second) {
    for (std::int64_t rank = 0; rank < 9; ++rank) {
      UsageRecord& record = run.usage.emplace_back();
      record.seconds = second;
      record.rank = rank;
      record.cpu_use = static_cast<double>(rank);
    }
  }
  const Document document = runs_document({run});
  expect_sound(document);
  const auto& cpu = chart_of<LineChart>(document, "usage-cpu");
  const Point& first = line_of(cpu, "mean of 9 workers, with the least and the most").points[0];
  EXPECT_DOUBLE_EQ(first.y, 4);
  EXPECT_EQ(first.low, 0);
  EXPECT_EQ(first.high, 8);
  EXPECT_THROW((void)figure_of(document, "usage-network"), std::out_of_range) << "nobody told";
}

TEST(RunDocument, WithoutSamplesDrawsTheUseOfEpochs) {
  EXPECT_TRUE(has_section(runs_document({sample_record("runs/old")}), "cpu-use"));
  EXPECT_TRUE(has_section(runs_document({sampled_record(1)}), "cpu-use")) << "a single sample is no line";
}

TEST(RunDocument, SaysWhereOverfittingIsSeen) {
  RunRecord run = sample_record("runs/long");
  const EpochRecord last = run.epochs.back();
  for (std::int64_t number = 4; number <= 9; ++number) {
    EpochRecord& epoch = run.epochs.emplace_back(last);
    epoch.epoch = epoch.end_step = number;
    epoch.train_loss = 2.0 / static_cast<double>(number);
  }
  for (EpochRecord& epoch : run.epochs) epoch.test_loss = epoch.epoch < 6 ? 1.0 : 1.5;
  run.info.configuration["scaling"] = "weak";
  run.info.configuration["instances"] = 4;
  const Document document = runs_document({run});
  expect_sound(document);
  EXPECT_THAT(words_of(document.sections[0]),
              HasSubstr("long: overfitting is seen in these epochs (test loss 1 around"));
  EXPECT_EQ(cell_of(table_of(document, "learning"), {"long"}, "overfitting"), "seen");
  EXPECT_EQ(cell_of(table_of(document, "learning"), {"long"}, "global batch"), "512 (4 x 128)");
}

TEST(RunDocument, DrawsNothingOverATimeThatIsUnknown) {
  RunRecord run = sample_record("runs/imported");
  for (EpochRecord& epoch : run.epochs) epoch.elapsed_seconds = std::numeric_limits<double>::quiet_NaN();
  const Document document = runs_document({run});
  expect_sound(document);
  EXPECT_NO_THROW((void)chart_of<LineChart>(document, "accuracy-epochs"));
  EXPECT_THROW((void)chart_of<LineChart>(document, "accuracy-time"), std::out_of_range);
}

TEST(RunDocument, WarnsOfOtherModelsAndMachines) {
  RunRecord other = sample_record("runs/second");
  other.info.configuration["model"] = "vgg16";
  other.info.hosts[0].cpu_model = other.info.hosts[1].cpu_model = "Other CPU";
  const Document document = runs_document({sample_record("runs/first"), other});
  expect_sound(document);
  const std::string words = words_of(document.sections[0]);
  EXPECT_THAT(words, HasSubstr("Different models: model: first has resnet20, second has vgg16."));
  EXPECT_THAT(words,
              HasSubstr("Different machines: machine: first has Test CPU, 8 hardware threads, second has Other CPU"));
  EXPECT_THAT(words, Not(HasSubstr("Different data")));
  EXPECT_EQ(cell_of(table_of(document, "differences"), {"model"}, "second"), "vgg16");
  EXPECT_FALSE(has_section(document, "classes"));
  EXPECT_NO_THROW((void)line_of(chart_of<LineChart>(document, "loss-epochs"), "second, training"));
  EXPECT_NO_THROW((void)table_of(document, "machine-2"));
}

TEST(RunDocument, OfRunsThatAreAlikeWarnsOfNothing) {
  const Document document = runs_document({sample_record("a/same"), sample_record("b/same")});
  expect_sound(document);
  EXPECT_THAT(words_of(document.sections[0]), Not(HasSubstr("Different")));
  EXPECT_THROW((void)table_of(document, "differences"), std::out_of_range);
  EXPECT_EQ(table_of(document, "runs").rows[1].cells[0], "same (2)");
}

TEST(RunDocument, SaysThatARunWasCutShort) {
  RunRecord run = sample_record("runs/cut");
  run.epochs.pop_back();
  run.summary.status = RunStatus::interrupted;
  run.summary.reason = "signal 15";
  const Document document = runs_document({run});
  expect_sound(document);
  EXPECT_THAT(words_of(document.sections[0]), HasSubstr("interrupted: signal 15, after 2 of 3 epochs"));
  EXPECT_EQ(table_of(document, "runs").rows[0].mark, RowMark::doubtful);
}

TEST(RunDocument, KeepsARunThatDiverged) {
  RunRecord run = sample_record("runs/gone");
  run.epochs[2].train_loss = std::numeric_limits<double>::quiet_NaN();
  run.summary.status = RunStatus::diverged;
  run.summary.reason = "loss is NaN at step 3";
  const Document document = runs_document({sample_record("runs/first"), run});
  expect_sound(document);
  EXPECT_EQ(row_of(table_of(document, "runs"), {"gone"}).mark, RowMark::failed);
  EXPECT_THAT(words_of(document.sections[0]), HasSubstr("gone: diverged: loss is NaN at step 3"));
}

TEST(RunDocument, OfARunWithoutEpochs) {
  RunRecord run = sample_record("runs/new");
  run.epochs.clear();
  run.steps.clear();
  run.summary = {};
  const Document document = runs_document({run});
  expect_sound(document);
  EXPECT_THAT(section_ids(document), ElementsAre("summary", "measured"));
  EXPECT_THAT(words_of(document.sections[0]),
              AllOf(HasSubstr("running or killed, after 0 of 3 epochs"), HasSubstr("No epoch was finished")));
  EXPECT_EQ(cell_of(table_of(document, "runs"), {"new"}, "samples/s"), "-");
  EXPECT_EQ(cell_of(table_of(document, "runs"), {"new"}, "time (s)"), "-");
}

}  // namespace
}  // namespace convoy::report
