#include "convoy/study/analysis/series_words.h"

#include <gtest/gtest.h>

namespace convoy::study {
namespace {

using Settings = std::map<std::string, std::string>;

const Settings kVgg = {{"model", "vgg16"}, {"device", "cpu"}, {"batch", "128"}, {"lab", "lab2"}};

TEST(SeriesWords, NamesAreUnderstoodAsPeopleWriteThem) {
  for (const char* text : {"vgg16", "VGG16", "VGG-16", "Vgg_16", "VGG 16", "VGG", "vgg CPU", "VGG16, CPU", "VGG on CPU",
                           "VGG 128", "VGG batch 128", "VGG (batch128)", "VGG batch size 128", "Lab2 VGG", ""}) {
    EXPECT_TRUE(names_settings(text, kVgg)) << text;
  }
}

TEST(SeriesWords, WhatIsNotSaidDoesNotFit) {
  for (const char* text : {"VGG19", "VGG-19", "VGG 19", "VG", "vgg1", "AlexNet", "VGG GPU", "VGG 64", "VGG batch 64",
                           "VGG lab 128", "CPU P100"}) {
    EXPECT_FALSE(names_settings(text, kVgg)) << text;
  }
}

TEST(SeriesWords, AMemberStandsForAModelOfWhichTheFamilyIsKnown) {
  const Settings settings = {{"model", "resnet"}};
  EXPECT_TRUE(names_settings("ResNet-34", settings));
  EXPECT_TRUE(names_settings("ResNet 34", settings));
  EXPECT_FALSE(names_settings("ResNeXt-34", settings));
  EXPECT_FALSE(names_settings("batch 34", {{"batch", "64"}, {"cores", "34"}}));
}

}  // namespace
}  // namespace convoy::study
