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

ImportedLog cntk_run(const std::string& text, const std::string& name) {
  const std::vector<ImportedLog> logs = parse_cntk_log(text, name);
  EXPECT_EQ(logs.size(), 1);
  return logs.front();
}

TEST(CntkLog, TakesWhatAnEpochSays) {
  const ImportedLog log = cntk_run(kEpochOne + kEpochTwo, "lab2-gpu-alexnet-nodes2.log");
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
  const ImportedLog log = cntk_run(
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
  const ImportedLog log = cntk_run(
      "Finished Epoch[1 of 1]: [Training] loss = nan * 100, metric = 99.50% * 100 1.000s (100.0 samples/s);", "a.log");
  EXPECT_TRUE(std::isnan(*log.lines[0].loss));
}

TEST(CntkLog, ErrorsNameFileAndLine) {
  const auto parse = [](const std::string& text) { return [text] { (void)cntk_run(text, "a.log"); }; };
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
  EXPECT_TRUE(throws_with<DataError>([&] { (void)cntk_run("Finished Epoch[" + digits, "a.log"); }, "a.log:1: "));
  EXPECT_EQ(cntk_run("Training " + digits + "\n" + kEpochOne, "a.log").notes.size(), 1);
}

TEST(CntkLog, LinesAboutMinibatchesSayTheBatch) {
  const std::string lines =
      "Minibatch[ 1- 200]: loss = 5.2 * 20000, metric = 99.02% * 20000;\n"
      "Minibatch[ 201- 210]: loss = 5.2 * 990, metric = 99.02% * 990;\n" +
      kEpochOne;
  EXPECT_EQ(cntk_run(lines, "a.log").settings.at("batch"), "100");
  const ImportedLog named = cntk_run(lines, "a-batch64.log");
  EXPECT_EQ(named.settings.at("batch"), "64");
  EXPECT_THAT(named.notes, ElementsAre("its name says batch 64, its lines 100: the name counts"));
  const std::string backwards = "Minibatch[ 9- 1]: loss = 5.2 * 990, metric = 9% * 990;\n" + kEpochOne;
  EXPECT_TRUE(throws_with<DataError>([&] { (void)cntk_run(backwards, "a.log"); }, "a.log:1"));
}

TEST(CntkLog, PastedAndWrappedLines) {
  const ImportedLog log = cntk_run(
      "> Finished Epoch\\[1 of 10\\]: \\[Training\\] loss = 5.304847 \\* 10112,\n"
      "> metric = 99.31% \\* 10112 15.452s (654.4\n> samples/s); Finished Epoch[2 of 10]: [Training] loss = 5.2 * "
      "9984,\n"
      "metric = 99.40% * 9984 104.746s ( 95.3 samples/s);\n",
      "report.md");
  ASSERT_EQ(log.lines.size(), 2);
  EXPECT_DOUBLE_EQ(log.lines[0].samples_per_second, 654.4);
  EXPECT_EQ(log.lines[1].loss, 5.2);
  EXPECT_THAT(log.notes, IsEmpty());
}

TEST(CntkLog, SeveralRunsOfAFileWithTheirCommands) {
  const auto logs = parse_cntk_log("$ mpirun -np 2 python alexnet.py --batch-size 64\n" + kEpochOne + kEpochTwo +
                                       "$ mpirun -np 4 \\\n python alexnet.py --batch-size 64\n" + kEpochOne +
                                       "[1,1]<stdout>:" + kEpochTwo,
                                   "report.txt");
  ASSERT_EQ(logs.size(), 2);
  EXPECT_EQ(logs[0].settings.at("workers"), "2");
  EXPECT_EQ(logs[1].settings.at("workers"), "4");
  EXPECT_EQ(logs[1].settings.at("batch"), "64");
  EXPECT_EQ(logs[1].settings.at("name"), "report");
  EXPECT_EQ(logs[1].lines.size(), 2);
  EXPECT_EQ(logs[1].lines[1].rank, 1);
  EXPECT_EQ(logs[1].name, "report.txt, run 2");
}

TEST(CntkLog, WhereAnotherRunBeginsHasToBeSaid) {
  const std::string last =
      "Finished Epoch[2 of 2]: [Training] loss = 5 * 100, metric = 99.40% * 100 1.0s ( 100 samples/s);\n";
  EXPECT_EQ(parse_cntk_log(last + kEpochOne, "a.log").size(), 2);
  EXPECT_EQ(parse_cntk_log(kEpochTwo + "## Four nodes\n" + kEpochTwo, "a.log").size(), 2);
  EXPECT_EQ(parse_cntk_log(kEpochOne + "## More\n" + kEpochTwo, "a.log").size(), 1);
  EXPECT_EQ(parse_cntk_log(kEpochTwo + kEpochTwo, "a.log").size(), 1);  // from two ranks
  const auto alike = parse_cntk_log(kEpochTwo + "# Again\n" + kEpochTwo, "lab-batch64.log");
  EXPECT_EQ(alike[0].settings.at("name"), "run1");
  EXPECT_EQ(alike[1].settings.at("name"), "run2");
}

TEST(CntkLog, ACommandCountsMoreThanTheName) {
  const ImportedLog log = cntk_run("mpirun -n 8 python train.py\n" + kEpochOne, "a-workers4.log");
  EXPECT_EQ(log.settings.at("workers"), "8");
  EXPECT_THAT(log.notes, ElementsAre("its name says workers 4, its command workers 8: the command counts"));
}

}  // namespace
}  // namespace convoy::study
