#include "convoy/study/log/csv_log.h"

#include <gtest/gtest.h>

#include "convoy/base/error.h"
#include "convoy/base/throws_with_test.h"

namespace convoy::study {
namespace {

TEST(CsvLog, TwoOfRateSecondsAndSamplesGiveTheThird) {
  const auto line = [](const char* text) { return parse_csv_log(text, "a.csv").lines.at(0); };
  EXPECT_DOUBLE_EQ(line("epoch,seconds,samples\n1,4,100\n").samples_per_second, 25);
  EXPECT_DOUBLE_EQ(line("epoch,samples_per_second,samples\n1,25,100\n").seconds, 4);
  EXPECT_DOUBLE_EQ(line("epoch,samples_per_second,seconds\n1,25,4\n").samples, 100);
  // As printed, where all three are there.
  EXPECT_DOUBLE_EQ(line("epoch,samples_per_second,seconds,samples\n1,25.1,4,100\n").samples_per_second, 25.1);
}

TEST(CsvLog, TakesMetricsRankAndWorkers) {
  const ImportedLog log = parse_csv_log(
      "epoch,rank,workers,seconds,samples,loss,accuracy_percent,test_accuracy\n"
      "1,0,2,4,100,2.5,40,0.5\n"
      "1,1,2,5,100,2.5,,\n",
      "a.csv");
  EXPECT_EQ(log.system, "CSV");
  EXPECT_EQ(log.settings.at("workers"), "2");
  ASSERT_EQ(log.lines.size(), 2);
  EXPECT_EQ(log.lines[1].rank, 1);
  EXPECT_EQ(log.lines[0].loss, 2.5);
  EXPECT_NEAR(*log.lines[0].error, 0.6, 1e-12);
  EXPECT_NEAR(*log.lines[0].test_error, 0.5, 1e-12);
  EXPECT_FALSE(log.lines[1].error);
}

TEST(CsvLog, ColumnsMayBeSettings) {
  const auto parse = [](const char* name) {
    return parse_csv_log("epoch,seconds,samples,batch,threads\n1,4,100,64,2\n2,4,100,64,2\n", name).settings;
  };
  EXPECT_EQ(parse("a.csv").at("batch"), "64");
  EXPECT_EQ(parse("a.csv").at("threads"), "2");
  EXPECT_EQ(parse("a-batch64.csv").at("batch"), "64");
  EXPECT_TRUE(throws_with<DataError>([&] { (void)parse("a-batch128.csv"); }, "batch 64 after batch 128"));
}

TEST(CsvLog, AccuracyAsAShare) {
  const ImportedLog log = parse_csv_log("epoch,seconds,samples,accuracy\n3,4,100,0.75\n", "a.csv");
  EXPECT_DOUBLE_EQ(*log.lines[0].error, 0.25);
  EXPECT_EQ(log.lines[0].epoch, 3);
}

TEST(CsvLog, WhatMakesNoSenseIsNamedWithItsLine) {
  const auto parse = [](const std::string& text) { return [text] { (void)parse_csv_log(text, "a.csv"); }; };
  const std::string head = "epoch,seconds,samples,accuracy,workers,rank\n";
  EXPECT_TRUE(throws_with<DataError>(parse(head), "no row"));
  EXPECT_TRUE(throws_with<DataError>(parse(head + "1,4,,,,\n"), "a.csv:2: two of samples_per_second"));
  EXPECT_TRUE(throws_with<DataError>(parse(head + ",4,5,,,\n"), "a.csv:2: no epoch"));
  EXPECT_TRUE(throws_with<DataError>(parse(head + "1.5,4,5,,,\n"), "a.csv:2: 'epoch' is 1.5"));
  EXPECT_TRUE(throws_with<DataError>(parse(head + "1,0,5,,,\n"), "a.csv:2: 'seconds' is 0"));
  EXPECT_TRUE(throws_with<DataError>(parse(head + "1,4,5,70,,\n"), "'accuracy_percent'"));
  EXPECT_TRUE(throws_with<DataError>(parse(head + "1,4,5,,2,\n2,4,5,,4,\n"), "a.csv:3: workers 4 after workers 2"));
  EXPECT_TRUE(throws_with<DataError>(parse(head + "2,4,5,,,\n1,4,5,,,\n"), "a.csv:3: epoch 1 comes after epoch 2"));
  EXPECT_TRUE(throws_with<DataError>(parse("epoch,second\n1,2\n"), "did you mean 'seconds'"));
}

}  // namespace
}  // namespace convoy::study
