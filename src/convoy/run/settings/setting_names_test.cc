#include "convoy/run/settings/setting_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace convoy {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const std::vector<std::string> kTrain = {"batch", "data",     "data-dir", "deadline", "epochs",  "hosts",
                                         "init",  "lr",       "model",    "keep",     "resume",  "run-dir",
                                         "seed",  "schedule", "step",     "threads",  "workers", "trace"};

TEST(SettingNames, WordsOfOtherProgramsAreUnderstood) {
  for (const char* word : {"--np", "-n", "-np", "--num-workers", "--num_processes", "--nproc_per_node"}) {
    EXPECT_THAT(names_meant(word, kTrain), ElementsAre("workers")) << word;
  }
  for (const char* word : {"--batch-size", "--batch_size", "--minibatch_size", "--Batch-Size"}) {
    EXPECT_THAT(names_meant(word, kTrain), ElementsAre("batch")) << word;
  }
  for (const char* word : {"--num_epochs", "--max-epochs", "--num-train-epochs"}) {
    EXPECT_THAT(names_meant(word, kTrain), ElementsAre("epochs")) << word;
  }
  EXPECT_THAT(names_meant("--nodes", kTrain), ElementsAre("hosts", "workers"));
  EXPECT_THAT(names_meant("--hostfile", kTrain), ElementsAre("hosts"));
  EXPECT_THAT(names_meant("--learning-rate", kTrain), ElementsAre("lr"));
  EXPECT_THAT(names_meant("--output_dir", kTrain), ElementsAre("run-dir"));
}

TEST(SettingNames, OnlyWhatThereIsIsNamed) {
  const std::vector<std::string> some = {"hosts", "out"};
  EXPECT_THAT(names_meant("--nodes", some), ElementsAre("hosts"));
  EXPECT_THAT(names_meant("--output-dir", some), ElementsAre("out"));
  EXPECT_THAT(names_meant("--np", some), IsEmpty());
}

TEST(SettingNames, SlipsOfTheFinger) {
  EXPECT_THAT(names_meant("--epocs", kTrain), ElementsAre("epochs"));
  EXPECT_THAT(names_meant("--wrokers", kTrain), ElementsAre("workers"));
  EXPECT_THAT(names_meant("--rundir", kTrain), ElementsAre("run-dir"));
  EXPECT_THAT(names_meant("--run_dir", kTrain), ElementsAre("run-dir"));
  EXPECT_THAT(names_meant("--scedulle", kTrain), ElementsAre("schedule"));
}

TEST(SettingNames, NothingIsBetterThanSomethingFarOff) {
  for (const char* word : {"--pn", "--x", "-z", "--frodo", "--nope", "--gpus", "--fp16", "-", "--"}) {
    EXPECT_THAT(names_meant(word, kTrain), IsEmpty()) << word;
  }
}

}  // namespace
}  // namespace convoy
