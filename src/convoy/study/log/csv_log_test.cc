#include "convoy/study/log/csv_log.h"

#include <gtest/gtest.h>

#include "convoy/base/error.h"
#include "convoy/base/throws_with_test.h"

namespace convoy::study {
namespace {

ImportedLog csv_run(const std::string& text, const std::string& name) {
  const std::vector<ImportedLog> logs = parse_csv_log(text, name);
  EXPECT_EQ(logs.size(), 1);
  return logs.front();
}

TEST(CsvLog, TwoOfRateSecondsAndSamplesGiveTheThird) {
  const auto line = [](const char* text) { return csv_run(text, "a.csv").lines.at(0); };
  EXPECT_DOUBLE_EQ(line("epoch,seconds,samples\n1,4,100\n").samples_per_second, 25);
  EXPECT_DOUBLE_EQ(line("epoch,samples_per_second,samples\n1,25,100\n").seconds, 4);
  EXPECT_DOUBLE_EQ(line("epoch,samples_per_second,seconds\n1,25,4\n").samples, 100);
  // The printed rate is used if all three are there.
  EXPECT_DOUBLE_EQ(line("epoch,samples_per_second,seconds,samples\n1,25.1,4,100\n").samples_per_second, 25.1);
}

TEST(CsvLog, TakesMetricsRankAndWorkers) {
  const ImportedLog log = csv_run(
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
    return csv_run("epoch,seconds,samples,batch,threads\n1,4,100,64,2\n2,4,100,64,2\n", name).settings;
  };
  EXPECT_EQ(parse("a.csv").at("batch"), "64");
  EXPECT_EQ(parse("a.csv").at("threads"), "2");
  EXPECT_EQ(parse("a-batch64.csv").at("batch"), "64");
  EXPECT_TRUE(throws_with<DataError>([&] { (void)parse("a-batch128.csv"); }, "batch 64, but the file's name says 128"));
}

TEST(CsvLog, AccuracyAsAShare) {
  const ImportedLog log = csv_run("epoch,seconds,samples,accuracy\n3,4,100,0.75\n", "a.csv");
  EXPECT_DOUBLE_EQ(*log.lines[0].error, 0.25);
  EXPECT_EQ(log.lines[0].epoch, 3);
}

TEST(CsvLog, WhatMakesNoSenseIsNamedWithItsLine) {
  const auto parse = [](const std::string& text) { return [text] { (void)csv_run(text, "a.csv"); }; };
  const std::string head = "epoch,seconds,samples,accuracy,workers,rank\n";
  EXPECT_TRUE(throws_with<DataError>(parse(head), "no row"));
  EXPECT_TRUE(throws_with<DataError>(parse(head + "1,4,,,,\n"), "a.csv:2: two of samples_per_second"));
  EXPECT_TRUE(throws_with<DataError>(parse(head + ",4,5,,,\n"), "a.csv:2: no epoch"));
  EXPECT_TRUE(throws_with<DataError>(parse(head + "1.5,4,5,,,\n"), "a.csv:2: 'epoch' is 1.5"));
  EXPECT_TRUE(throws_with<DataError>(parse(head + "1,0,5,,,\n"), "a.csv:2: 'seconds' is 0"));
  EXPECT_TRUE(throws_with<DataError>(parse(head + "1,4,5,70,,\n"), "'accuracy_percent'"));
  EXPECT_TRUE(throws_with<DataError>(parse(head + "2,4,5,,,\n1,4,5,,,\n"), "a.csv:3: epoch 1 comes after epoch 2"));
  EXPECT_TRUE(throws_with<DataError>(parse("epoch,second\n1,2\n"), "did you mean 'seconds'"));
}

TEST(CsvLog, RowsOfOtherSettingsAreOtherRuns) {
  const auto logs = parse_csv_log(
      "workers,epoch,seconds,samples,model\n2,1,4,100,VGG\n2,2,4,100,VGG\n4,1,2,100,VGG\n4,2,2,100,VGG\n", "a.csv");
  ASSERT_EQ(logs.size(), 2);
  EXPECT_EQ(logs[0].lines.size(), 2);
  EXPECT_EQ(logs[1].settings.at("workers"), "4");
  EXPECT_EQ(logs[1].settings.at("model"), "VGG");
  EXPECT_EQ(logs[1].settings.at("name"), "a");
  const auto runs = parse_csv_log("run,epoch,seconds,samples\n1,1,4,100\n2,1,4,100\n", "a.csv");
  ASSERT_EQ(runs.size(), 2);
  EXPECT_EQ(runs[1].settings.at("name"), "a") << "numbers only tell repeats apart";
  const auto named = parse_csv_log("run,epoch,seconds,samples\nbase,1,4,100\nwide,1,4,100\n", "a.csv");
  EXPECT_EQ(named[1].settings.at("name"), "a-runwide");
}

TEST(CsvLog, ColumnsAndSharesAsOthersWriteThem) {
  const ImportedLog log = csv_run(
      "Epoch,Epoch time (s),Train accuracy,Test accuracy (%),Val_loss,Batch size\n1,12.5,93.5%,91,0.3,64\n", "a.csv");
  EXPECT_DOUBLE_EQ(log.lines[0].seconds, 12.5);
  EXPECT_EQ(log.lines[0].samples, 0);
  EXPECT_NEAR(*log.lines[0].error, 0.065, 1e-12);
  EXPECT_NEAR(*log.lines[0].test_error, 0.09, 1e-12);
  EXPECT_DOUBLE_EQ(*log.lines[0].test_loss, 0.3);
  EXPECT_EQ(log.settings.at("batch"), "64");
  EXPECT_NEAR(*csv_run("epoch,val_error\n1,0.25\n", "a.csv").lines[0].test_error, 0.25, 1e-12);
  const ImportedLog signs = csv_run("Epoch,Train accuracy (%),Time (s)\n1,40.1%,12\n", "a.csv");
  EXPECT_NEAR(*signs.lines[0].error, 0.599, 1e-12) << "the column and the cell both say percent";
  EXPECT_DOUBLE_EQ(signs.lines[0].seconds, 12);
}

TEST(CsvLog, EpochsOfKerasCountFromZero) {
  const ImportedLog log =
      csv_run("epoch,accuracy,loss,val_accuracy,val_loss\n0,0.5,1.5,0.6,1.2\n1,0.7,1.0,0.65,1.1\n", "log.csv");
  ASSERT_EQ(log.lines.size(), 2);
  EXPECT_EQ(log.lines[0].epoch, 1);
  EXPECT_EQ(log.lines[1].epoch, 2);
  EXPECT_NEAR(*log.lines[1].test_error, 0.35, 1e-12);
  EXPECT_EQ(log.lines[1].seconds, 0);
  EXPECT_EQ(log.notes.size(), 1);
}

TEST(CsvLog, OtherMetricsOfKerasArePassedOver) {
  const ImportedLog log = csv_run(
      "epoch,auc,learning_rate,loss,sparse_categorical_accuracy,val_auc,val_loss,val_sparse_categorical_accuracy\n"
      "0,0.9,0.1,1.5,0.5,0.8,NA,NA\n1,0.9,0.1,1.0,0.75,0.8,1.25,0.625\n",
      "log.csv");
  EXPECT_FALSE(log.lines[0].test_loss);
  EXPECT_FALSE(log.lines[0].test_error);
  EXPECT_EQ(log.lines[1].error, 0.25);
  EXPECT_EQ(log.lines[1].test_error, 0.375);
  EXPECT_TRUE(throws_with<DataError>([] { (void)parse_csv_log("epoch,auc,loss\n1,1,1\n", "a.csv"); }, "'auc'"))
      << "without its twin it may be anything";
}

TEST(CsvLog, ColumnsThatContradictEachOther) {
  const auto parse = [](const std::string& text) { return [text] { (void)parse_csv_log(text, "a.csv"); }; };
  EXPECT_TRUE(throws_with<DataError>(parse("epoch,acc,accuracy\n1,0.5,0.5\n"), "two columns say 'accuracy'"));
  EXPECT_TRUE(throws_with<DataError>(parse("epoch,accuracy,error\n1,0.5,0.2\n"), "a.csv:2: an error of 20 %"));
  EXPECT_TRUE(throws_with<DataError>(parse("epoch,accuracy\n1,x%\n"), "a.csv:2: 'x'"));
}

}  // namespace
}  // namespace convoy::study
