#include "convoy/study/log/cntk_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "convoy/base/error.h"
#include "convoy/base/throws_with_test.h"

namespace convoy::study {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const std::string kEpochOne =
    "Finished Epoch[1 of 10]: [Training] loss = 5.304847 * 10112, metric = 99.31% * 10112 15.452s (654.4 samples/s);\n";
const std::string kEpochTwo =
    "Finished Epoch[2 of 10]: [Training] loss = 5.295299 * 9984, metric = 99.40% * 9984 104.746s ( 95.3 samples/s);\n";

TEST(CntkLog, TakesWhatAnEpochSays) {
  const ImportedLog log = parse_cntk_log(kEpochOne + kEpochTwo, "lab2-gpu-alexnet-nodes2.log");
  EXPECT_EQ(log.system, "CNTK");
  EXPECT_EQ(log.settings.at("workers"), "2");
  EXPECT_EQ(log.announced_epochs, 10);
  ASSERT_EQ(log.lines.size(), 2);
  EXPECT_EQ(log.lines[0].epoch, 1);
  EXPECT_EQ(log.lines[0].samples, 10112);
  EXPECT_DOUBLE_EQ(log.lines[0].seconds, 15.452);
  EXPECT_DOUBLE_EQ(log.lines[0].samples_per_second, 654.4);
  EXPECT_EQ(log.lines[0].loss, 5.304847);
  EXPECT_NEAR(*log.lines[0].error, 0.9931, 1e-12);
  EXPECT_FALSE(log.lines[0].rank);
  EXPECT_DOUBLE_EQ(log.lines[1].samples_per_second, 95.3);
  EXPECT_THAT(log.notes, IsEmpty());
}

TEST(CntkLog, OtherLinesAreUsedOrCounted) {
  const ImportedLog log = parse_cntk_log(
      "Training 25171464 parameters in 16 parameter tensors.\n\n"
      "Minibatch[ 1- 200]: loss = 5.243869 * 20000, metric = 99.02% * 20000;\r\n"
      "Selected CPU as the process wide default device.\n" +
          kEpochOne + "Finished Evaluation [1]: Minibatch[1-79]: metric = 96.95% * 10000;",
      "a.log");
  EXPECT_EQ(log.settings.at("parameters"), "25171464");
  EXPECT_THAT(log.notes, ElementsAre("lines that were passed over: 1"));
  ASSERT_TRUE(log.lines[0].test_error);
  EXPECT_NEAR(*log.lines[0].test_error, 0.9695, 1e-12);
}

TEST(CntkLog, ADivergedLossIsKept) {
  const ImportedLog log = parse_cntk_log(
      "Finished Epoch[1 of 1]: [Training] loss = nan * 100, metric = 99.50% * 100 1.000s (100.0 samples/s);", "a.log");
  EXPECT_TRUE(std::isnan(*log.lines[0].loss));
}

TEST(CntkLog, ErrorsNameFileAndLine) {
  const auto parse = [](const std::string& text) { return [text] { (void)parse_cntk_log(text, "a.log"); }; };
  EXPECT_TRUE(throws_with<DataError>(parse(kEpochOne + "Finished Epoch[2 of 10]: [Training] loss = "), "a.log:2: "));
  EXPECT_TRUE(throws_with<DataError>(parse(kEpochTwo + "x\n" + kEpochOne), "a.log:3: epoch 1 comes after epoch 2"));
  EXPECT_TRUE(throws_with<DataError>(parse("Finished Evaluation [1]: Minibatch[1-79]: metric = 96.95% * 10000;"),
                                     "before the first epoch"));
  EXPECT_TRUE(throws_with<DataError>(parse(kEpochOne + "Finished Evaluation [1]: later"), "a.log:2: "));
  EXPECT_TRUE(throws_with<DataError>(parse("hello\n"), "is it a log of CNTK?"));
  EXPECT_TRUE(throws_with<DataError>(parse(""), "a.log"));
}

TEST(CntkLog, EndlessLinesDoNoHarm) {
  const std::string digits(1'000'000, '1');
  EXPECT_TRUE(throws_with<DataError>([&] { (void)parse_cntk_log("Finished Epoch[" + digits, "a.log"); }, "a.log:1: "));
  EXPECT_EQ(parse_cntk_log("Training " + digits + "\n" + kEpochOne, "a.log").notes.size(), 1);
}

TEST(CntkLog, LinesAboutMinibatchesSayTheBatch) {
  const std::string lines =
      "Minibatch[ 1- 200]: loss = 5.2 * 20000, metric = 99.02% * 20000;\n"
      "Minibatch[ 201- 210]: loss = 5.2 * 990, metric = 99.02% * 990;\n" +
      kEpochOne;
  EXPECT_EQ(parse_cntk_log(lines, "a.log").settings.at("batch"), "100");
  const ImportedLog named = parse_cntk_log(lines, "a-batch64.log");
  EXPECT_EQ(named.settings.at("batch"), "64");
  EXPECT_THAT(named.notes, ElementsAre("its name says batch 64, its lines 100: the name counts"));
  const std::string backwards = "Minibatch[ 9- 1]: loss = 5.2 * 990, metric = 9% * 990;\n" + kEpochOne;
  EXPECT_TRUE(throws_with<DataError>([&] { (void)parse_cntk_log(backwards, "a.log"); }, "a.log:1"));
}

}  // namespace
}  // namespace convoy::study
