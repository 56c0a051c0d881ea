#include "convoy/study/imported_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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
                                   Pair("cores", "14"), Pair("workers", "1")));
}

TEST(ImportedLog, OtherNamesSayNothing) {
  EXPECT_THAT(settings_from_name("train.log"), IsEmpty());
  EXPECT_THAT(settings_from_name("lab2-cpu-vgg16.log"), IsEmpty());
  EXPECT_THAT(settings_from_name("lab2-vgg16-nodes4.log"), IsEmpty());
  EXPECT_THAT(settings_from_name("lab2-cpu-vgg16-nodesX.log"), IsEmpty());
  EXPECT_THAT(settings_from_name(""), IsEmpty());
}

}  // namespace
}  // namespace convoy::study
