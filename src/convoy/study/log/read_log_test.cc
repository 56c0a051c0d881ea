#include "convoy/study/log/read_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "convoy/base/error.h"
#include "convoy/base/throws_with_test.h"

namespace convoy::study {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::string kHorovod =
    "Model: resnet50\nBatch size: 32\nNumber of GPUs: 4\nRunning warmup...\nRunning benchmark...\n"
    "Iter #0: 100.0 img/sec per GPU\nIter #1: 110.0 img/sec per GPU\n"
    "Img/sec per GPU: 105.0 +-9.8\nTotal img/sec on 4 GPU(s): 420.0 +-39.2\n";

const std::string kTensorFlow =
    "TensorFlow:  1.15\nModel:       vgg16\nDataset:     imagenet (synthetic)\nBatch size:  128 global\n"
    "             64 per device\nNum batches: 100\nDevices:     ['/gpu:0', '/gpu:1']\n"
    "Step\tImg/sec\ttotal_loss\n1\timages/sec: 212.6 +/- 0.0 (jitter = 0.0)\t8.169\n"
    "10\timages/sec: 213.1 +/- 0.3 (jitter = 0.5)\t7.593\n"
    "----------------------------------------------------------------\ntotal images/sec: 256.00\n";

TEST(ReadLog, TheContentTellsTheSystem) {
  const auto system = [](const char* text, const char* name) { return parse_log(text, name).at(0).system; };
  EXPECT_EQ(system("x\nFinished Epoch[1 of 1]: [Training] loss = 5 * 9, metric = 9% * 9 1.0s ( 9 samples/s);", "a.txt"),
            "CNTK");
  EXPECT_EQ(system("Epoch 1/1\n5/5 [==] - 12s 51ms/step - loss: 0.4\n", "a.out"), "Keras");
  EXPECT_EQ(system(kHorovod.c_str(), "a.log"), "Horovod");
  EXPECT_EQ(system(kTensorFlow.c_str(), "a.log"), "TensorFlow");
  EXPECT_EQ(system("epoch,loss\n1,2\n", "a.csv"), "CSV");
  EXPECT_EQ(system("epoch,loss\n1,2\n", "a.txt"), "CSV");
  EXPECT_TRUE(throws_with<DataError>([] { (void)parse_log("hello\n", "a.log"); }, "a.log: no line of a system"));
  EXPECT_TRUE(throws_with<DataError>([] { (void)parse_log("", "a.log"); }, "a.log"));
}

TEST(ReadLog, RatesOfHorovodsBenchmarkAreThoseOfAllWorkers) {
  const auto logs = parse_log(kHorovod, "bench.log");
  ASSERT_EQ(logs.size(), 1);
  const auto& settings = logs[0].settings;
  EXPECT_EQ(settings.at("model"), "resnet50");
  EXPECT_EQ(settings.at("batch"), "32");
  EXPECT_EQ(settings.at("scaling"), "weak");
  EXPECT_EQ(settings.at("workers"), "4");
  EXPECT_EQ(settings.at("device"), "gpu");
  ASSERT_EQ(logs[0].lines.size(), 2);
  EXPECT_DOUBLE_EQ(logs[0].lines[1].samples_per_second, 440);
  EXPECT_EQ(logs[0].lines[1].seconds, 0);
  EXPECT_THAT(logs[0].notes, ElementsAre(HasSubstr("times 4")));
}

TEST(ReadLog, BenchmarksOneAfterTheOther) {
  std::string eight = kHorovod;
  eight.replace(eight.find("GPUs: 4"), 7, "GPUs: 8");
  eight.replace(eight.find("on 4"), 4, "on 8");
  const auto logs = parse_log(kHorovod + eight, "bench.log");
  ASSERT_EQ(logs.size(), 2);
  EXPECT_DOUBLE_EQ(logs[1].lines[0].samples_per_second, 800);
  EXPECT_THAT(logs[1].notes, testing::Contains(HasSubstr("its total says 420 images/s, the mean of its lines is 840")));
}

TEST(ReadLog, TotalsAloneAndWorkersUnsaid) {
  const auto logs = parse_log("Total img/sec on 4 GPU(s): 420.0 +-39.2\n", "bench.log");
  EXPECT_DOUBLE_EQ(logs[0].lines.at(0).samples_per_second, 420);
  EXPECT_FALSE(logs[0].settings.contains("batch"));
  EXPECT_TRUE(throws_with<DataError>([] { (void)parse_log("Iter #0: 9.0 img/sec per GPU\n", "bench.log"); },
                                     "not how many workers"));
  EXPECT_EQ(
      parse_log("mpirun -np 4 python b.py\nIter #0: 9.0 img/sec per GPU\n", "b").at(0).lines[0].samples_per_second, 36);
}

TEST(ReadLog, RunningMeansOfTensorFlowAreNoMeasurements) {
  const auto logs = parse_log(kTensorFlow + kTensorFlow, "bench.log");
  ASSERT_EQ(logs.size(), 2);
  ASSERT_EQ(logs[0].lines.size(), 1);
  EXPECT_DOUBLE_EQ(logs[0].lines[0].samples_per_second, 256);
  EXPECT_DOUBLE_EQ(logs[0].lines[0].samples, 12800);
  EXPECT_DOUBLE_EQ(logs[0].lines[0].seconds, 50);
  EXPECT_EQ(logs[0].settings.at("workers"), "2");
  EXPECT_EQ(logs[0].settings.at("batch"), "64");
  EXPECT_EQ(logs[0].settings.at("model"), "vgg16");
  const std::string cut = kTensorFlow.substr(0, kTensorFlow.find("total images/sec"));
  EXPECT_TRUE(throws_with<DataError>([&] { (void)parse_log(cut, "bench.log"); }, "is the end"));
}

}  // namespace
}  // namespace convoy::study
