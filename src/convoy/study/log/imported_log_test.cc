#include "convoy/study/log/imported_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "convoy/base/error.h"
#include "convoy/base/throws_with_test.h"

namespace convoy::study {
namespace {

using testing::IsEmpty;
using testing::Pair;
using testing::UnorderedElementsAre;

TEST(ImportedLog, SettingsComeFromTheName) {
  EXPECT_THAT(settings_from_name("logs/lab2-cpu-vgg16-batch128-nodes4.log"),
              UnorderedElementsAre(Pair("lab", "lab2"), Pair("device", "cpu"), Pair("model", "vgg16"),
                                   Pair("batch", "128"), Pair("workers", "4")));
  EXPECT_THAT(settings_from_name("lab1-gpu-alexnet-cores14-nodes1.log"),
              UnorderedElementsAre(Pair("lab", "lab1"), Pair("device", "gpu"), Pair("model", "alexnet"),
                                   Pair("threads", "14"), Pair("workers", "1")));
}

TEST(ImportedLog, EachWordSaysWhatItSays) {
  EXPECT_THAT(settings_from_name("lab2-cpu-vgg16.log"),
              UnorderedElementsAre(Pair("lab", "lab2"), Pair("device", "cpu"), Pair("name", "vgg16")));
  EXPECT_THAT(settings_from_name("AlexNet_batch_064_2nd.csv"),
              UnorderedElementsAre(Pair("name", "AlexNet-2nd"), Pair("batch", "64")));
  EXPECT_THAT(
      settings_from_name("GPU-bs64-workers2-threads4.csv"),
      UnorderedElementsAre(Pair("device", "gpu"), Pair("batch", "64"), Pair("workers", "2"), Pair("threads", "4")));
  EXPECT_THAT(settings_from_name("minibatch32-ranks2.csv"),
              UnorderedElementsAre(Pair("batch", "32"), Pair("workers", "2")));
}

TEST(ImportedLog, OtherWordsAreNotTakenForAModel) {
  EXPECT_THAT(settings_from_name("train.log"), UnorderedElementsAre(Pair("name", "train")));
  EXPECT_THAT(settings_from_name("lab2-vgg16-nodes4.log"),
              UnorderedElementsAre(Pair("lab", "lab2"), Pair("name", "vgg16"), Pair("workers", "4")));
  EXPECT_THAT(settings_from_name("cpu-vgg16-nodesX-batch.log"),
              UnorderedElementsAre(Pair("device", "cpu"), Pair("name", "vgg16-nodesX-batch")));
  EXPECT_THAT(settings_from_name(""), IsEmpty());
}

TEST(ImportedLog, WhatIsSetEverywhereMakesNothingTheSame) {
  std::vector<ImportedLog> logs(3);
  logs[0].name = "a.log";
  logs[1].settings["batch"] = "64";
  set_everywhere(logs, "batch", "128");
  EXPECT_EQ(logs[0].settings.at("batch"), "128");
  EXPECT_EQ(logs[1].settings.at("batch"), "128");
  logs[0].settings["batch"] = "256";
  EXPECT_TRUE(throws_with<UserError>([&] { set_everywhere(logs, "batch", "64"); }, "a.log says batch 256"));
  EXPECT_EQ(logs[2].settings.at("batch"), "128");
}

}  // namespace
}  // namespace convoy::study
