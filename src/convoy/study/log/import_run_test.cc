#include "convoy/study/log/import_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "convoy/base/error.h"
#include "convoy/base/temporary_folder_test.h"
#include "convoy/base/throws_with_test.h"
#include "convoy/record/run_record.h"
#include "convoy/study/analysis/published.h"
#include "convoy/study/log/read_log.h"
#include "convoy/study/measure/run_measures.h"

namespace convoy::study {
namespace {

using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

std::filesystem::path golden(const std::string& name) { return std::filesystem::path(CONVOY_GOLDEN_FOLDER) / name; }

class ImportRun : public TemporaryFolder {
 protected:
  RunRecord import(const ImportedLog& log) {
    import_run(log, folder_ / log.name, {"convoy"});
    return read_run(folder_ / log.name);
  }
  RunMeasures import_golden(const std::string& name) {
    ImportedLog log = read_log(golden(name)).at(0);
    log.name = name;
    return measure_run(import(log), 0);
  }
};

ImportedLog two_ranks() {
  ImportedLog log;
  log.name = "small";
  log.system = "CSV";
  log.settings = {{"model", "lenet"}};
  log.lines = {{.epoch = 1, .samples = 100, .seconds = 4, .loss = 2.0, .error = 0.9},
               {.epoch = 1, .samples = 100, .seconds = 5, .loss = 3.0, .error = 0.8},
               {.epoch = 2, .samples = 90, .seconds = 3, .loss = 1.0, .error = 0.5},
               {.epoch = 2, .samples = 90, .seconds = 2, .loss = 1.0, .error = 0.5, .test_error = 0.4}};
  return log;
}

TEST_F(ImportRun, AnEpochTakesAsLongAsItsSlowestLine) {
  const RunRecord run = import(two_ranks());
  EXPECT_EQ(run.info.ranks, 2);
  EXPECT_EQ(run.info.configuration.at("imported"), true);
  EXPECT_EQ(run.info.configuration.at("system"), "CSV");
  EXPECT_EQ(run.info.configuration.at("model"), "lenet");
  EXPECT_TRUE(run.info.hosts.empty());
  EXPECT_EQ(run.summary.status, RunStatus::completed);
  ASSERT_EQ(run.epochs.size(), 2);
  EXPECT_DOUBLE_EQ(run.epochs[0].times.seconds, 5);
  EXPECT_DOUBLE_EQ(run.epochs[0].samples_per_second, 20);
  EXPECT_DOUBLE_EQ(run.epochs[0].train_loss, 2.5);
  EXPECT_NEAR(run.epochs[0].train_accuracy, 0.15, 1e-12);
  EXPECT_FALSE(run.epochs[0].test_top1);
  EXPECT_DOUBLE_EQ(run.epochs[1].elapsed_seconds, 8);
  EXPECT_NEAR(*run.epochs[1].test_top1, 0.6, 1e-12);
}

TEST_F(ImportRun, BothReadingsOfItsThroughputAreThere) {
  const RunMeasures measures = measure_run(import(two_ranks()), 0);
  EXPECT_TRUE(measures.imported);
  EXPECT_THAT(measures.epoch_throughputs, ElementsAre(20, 30));
  EXPECT_THAT(measures.line_throughputs, ElementsAre(25, 20, 30, 45));
  EXPECT_DOUBLE_EQ(*measures.throughput, 190.0 / 8.0);
  EXPECT_FALSE(measures.shares);
  EXPECT_EQ(measures.cpu_use, 0);
  EXPECT_DOUBLE_EQ(measures.total_seconds, 8);
}

TEST_F(ImportRun, MetricsThatTheLogDoesNotHaveAreNotKnown) {
  ImportedLog log = two_ranks();
  for (ImportedEpoch& line : log.lines) line.loss = line.error = line.test_error = std::nullopt;
  const RunRecord run = import(log);
  EXPECT_TRUE(std::isnan(run.epochs[0].train_loss));
  EXPECT_TRUE(std::isnan(run.epochs[0].train_accuracy));
  EXPECT_FALSE(run.epochs[1].test_top1);
}

TEST_F(ImportRun, UnevenLinesAreNoted) {
  ImportedLog log = two_ranks();
  log.settings["workers"] = "4";
  log.lines.pop_back();
  log.lines[1].samples = 120;
  const RunRecord run = import(log);
  EXPECT_EQ(run.info.ranks, 4);
  EXPECT_EQ(run.epochs[0].samples, 120);
  EXPECT_THAT(measure_run(run, 0).notes,
              ElementsAre("2 lines for each epoch of 4 workers", HasSubstr("epoch 1 differ in their samples"),
                          "epoch 2 has 1 lines, the first epoch 2"));
}

TEST_F(ImportRun, ALogThatEndsEarlyIsAnInterruptedRun) {
  ImportedLog log = two_ranks();
  log.announced_epochs = 10;
  EXPECT_EQ(import(log).summary.status, RunStatus::completed);  // an evaluation shows that training was over
  log.name = "cut";
  log.lines.back().test_error.reset();
  const RunRecord run = import(log);
  EXPECT_EQ(run.summary.status, RunStatus::interrupted);
  EXPECT_EQ(run.summary.reason, "the log ends with epoch 2 of 10");
}

TEST_F(ImportRun, RatesAloneAreAThroughput) {
  ImportedLog log;
  log.name = "rates";
  log.system = "Horovod";
  log.settings = {{"workers", "2"}};
  log.lines = {{.epoch = 1, .samples_per_second = 100}, {.epoch = 2, .samples_per_second = 300}};
  const RunRecord run = import(log);
  EXPECT_TRUE(std::isnan(run.epochs[0].times.seconds));
  const RunMeasures measures = measure_run(run, 0);
  EXPECT_THAT(measures.epoch_throughputs, ElementsAre(100, 300));
  EXPECT_THAT(measures.line_throughputs, testing::IsEmpty());
  EXPECT_DOUBLE_EQ(*measures.throughput, 150);  // each rate counts for equally many samples
  EXPECT_EQ(measures.total_seconds, 0);
  EXPECT_THAT(measures.notes, testing::IsEmpty());
}

TEST_F(ImportRun, SamplesThatOnlyTheUserSays) {
  ImportedLog log;
  log.name = "unsaid";
  log.system = "Keras";
  log.lines = {{.epoch = 1, .seconds = 10, .test_loss = 0.5, .test_error = 0.2}};
  EXPECT_FALSE(measure_run(import(log), 0).throughput);
  log.name = "said";
  log.settings[kSamplesSetting] = "6000";
  const RunRecord run = import(log);
  EXPECT_DOUBLE_EQ(*measure_run(run, 0).throughput, 600);
  EXPECT_DOUBLE_EQ(*run.epochs[0].test_loss, 0.5);
  log.name = "wrong";
  log.settings[kSamplesSetting] = "many";
  EXPECT_TRUE(throws_with<UserError>([&] { import(log); }, "samples are 'many'"));
}

TEST_F(ImportRun, WorkersThatAreNoNumberAreRefused) {
  ImportedLog log = two_ranks();
  for (const char* text : {"", "0", "two", "2x", "-1"}) {
    log.settings["workers"] = text;
    EXPECT_TRUE(throws_with<UserError>([&] { import_run(log, folder_ / "run", {}); }, "workers"));
  }
  EXPECT_FALSE(is_run_folder(folder_ / "run"));
}

// The published means of ResNet on CPU nodes are means over lines: 21.2, 39.6, 69.9 and 88.2 samples/s on 1, 2, 4 and 8
// nodes. By the lines the last one is 88.4; one more line of 86 would make it 88.2.
TEST_F(ImportRun, PublishedMeansComeOutOfTheLines) {
  const double published[] = {21.2, 39.6, 69.9};
  for (int i = 0; i < 3; ++i) {
    const RunMeasures measures = import_golden(fmt::format("lab2-cpu-resnet-batch32-nodes{}.log", 1 << i));
    EXPECT_EQ(measures.ranks, 1 << i);
    EXPECT_NEAR(summarize(measures.line_throughputs).mean, published[i], 0.05);
  }
  const RunMeasures eight = import_golden("lab2-cpu-resnet-batch32-nodes8.log");
  EXPECT_NEAR(summarize(eight.line_throughputs).mean, 88.43, 0.005);
  // Convoy's own reading: 10,000 samples in the 146.783 s of the slowest worker.
  EXPECT_THAT(eight.epoch_throughputs, SizeIs(1));
  EXPECT_NEAR(*eight.throughput, 10000 / 146.783, 1e-9);
}

TEST_F(ImportRun, PublishedMeansThatDoNotFollowAreFound) {
  const auto figures = parse_published(read(golden("published.csv")), "published.csv");
  ASSERT_EQ(figures.size(), 12);
  const std::map<std::string, int> batches = {{"alexnet", 256}, {"vgg16", 128}, {"resnet", 32}};
  std::vector<Agreement> agreements;
  for (const PublishedFigure& figure : figures) {
    const RunMeasures measures = import_golden(
        fmt::format("lab2-cpu-{}-batch{}-nodes{}.log", figure.series, batches.at(figure.series), figure.size));
    const std::vector computed = {summarize(measures.line_throughputs)};
    agreements.push_back(check_published(figure, computed).agreement);
  }
  constexpr auto kFollows = Agreement::follows;
  constexpr auto kDiffers = Agreement::differs;
  EXPECT_THAT(agreements, ElementsAre(Agreement::cut, kDiffers, kDiffers, kDiffers,  // alexnet on 1, 2, 4, 8
                                      kFollows, kFollows, kDiffers, kDiffers,        // vgg16
                                      kFollows, kFollows, kFollows, kDiffers));      // resnet
}

TEST_F(ImportRun, LogsOfSeveralEpochsAndRanks) {
  const RunMeasures two = import_golden("lab2-gpu-alexnet-nodes2.log");
  EXPECT_EQ(two.ranks, 2);
  EXPECT_EQ(two.status, RunStatus::completed);
  EXPECT_THAT(two.epoch_throughputs, SizeIs(10));
  EXPECT_THAT(two.line_throughputs, SizeIs(20));
  EXPECT_NEAR(summarize(two.line_throughputs).mean, 800.35, 0.005);
  EXPECT_NEAR(*two.curve.back().test_top1, 1 - 0.9695, 1e-12);
  EXPECT_THAT(two.notes, testing::IsEmpty());

  // Some epochs have nine lines for eight ranks and the last one has three: the log is damaged, and the notes say so.
  const RunMeasures eight = import_golden("lab2-gpu-alexnet-nodes8.log");
  EXPECT_THAT(eight.notes, Contains("epoch 3 has 9 lines, the first epoch 8"));
  EXPECT_THAT(eight.notes, Contains("epoch 5 has 3 lines, the first epoch 8"));
  EXPECT_THAT(eight.notes, Contains("the log ends with epoch 5 of 10"));
  EXPECT_THAT(eight.epoch_throughputs, Each(testing::Gt(600)));
}

}  // namespace
}  // namespace convoy::study
