#include "convoy/cli/command/slurm_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "convoy/base/error.h"
#include "convoy/base/throws_with_test.h"

namespace convoy::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

std::string script(std::vector<std::string> arguments, int cores = 16) {
  return slurm_script({.cores_of_node = cores, .program = "/bin/convoy", .arguments = std::move(arguments)});
}

TEST(SlurmScript, AsksForWhatTheWorkersNeed) {
  EXPECT_EQ(slurm_script({.nodes = 4,
                          .seconds = 5400,
                          .partition = "cpu",
                          .cores_of_node = 16,
                          .program = "/bin/convoy",
                          .arguments = {"train", "--data", "folder:my photos", "--workers", "8", "--dry-run"}}),
            "#!/bin/bash\n"
            "#SBATCH --job-name=convoy-train\n"
            "#SBATCH --partition=cpu\n"
            "#SBATCH --nodes=4\n"
            "#SBATCH --ntasks=8\n"
            "#SBATCH --ntasks-per-node=2\n"
            "#SBATCH --cpus-per-task=8\n"
            "#SBATCH --time=01:30:00\n"
            "#SBATCH --output=convoy-train-%j.log\n"
            "# Before the time is up workers put their work down; `convoy train --resume` goes on with it.\n"
            "#SBATCH --signal=USR2@120\n"
            "\n"
            "export OMP_NUM_THREADS=8\n"
            "exec srun --mpi=pmix --wait=90 --cpus-per-task=8 /bin/convoy train --data 'folder:my photos' "
            "--workers 8 --threads 8\n");
}

TEST(SlurmScript, AStudyStartsItsRunsOnAllNodesItself) {
  EXPECT_EQ(slurm_script({.nodes = 2,
                          .seconds = 5400,
                          .cores_of_node = 16,
                          .program = "/bin/convoy",
                          .arguments = {"study", "scale", "--workers", "1,2,4", "--study-dir", "my study"}}),
            "#!/bin/bash\n"
            "#SBATCH --job-name=convoy-study\n"
            "#SBATCH --nodes=2\n"
            "#SBATCH --ntasks=2\n"
            "#SBATCH --ntasks-per-node=1\n"
            "#SBATCH --cpus-per-task=16\n"
            "#SBATCH --exclusive\n"
            "#SBATCH --time=01:30:00\n"
            "#SBATCH --output=convoy-study-%j.log\n"
            "# Before the time is up the study puts its work down; `convoy study continue STUDY` goes on with it.\n"
            "#SBATCH --signal=B:TERM@120\n"
            "\n"
            "hosts=$(scontrol show hostnames \"$SLURM_JOB_NODELIST\" | sed 's/$/:16/' | paste -sd,)\n"
            "exec /bin/convoy study scale --workers 1,2,4 --study-dir 'my study' --hosts \"$hosts\"\n");
  EXPECT_THAT(script({"study", "batch"}),
              AllOf(HasSubstr("\nexec /bin/convoy study batch\n"), Not(HasSubstr("hosts="))));
  EXPECT_TRUE(throws_with<UserError>([] { (void)script({"study", "scale", "--hosts", "a,b"}); }, "--nodes"));
}

TEST(SlurmScript, AStudyAsksForTheCoresOfItsLargestRun) {
  const std::string text = slurm_script({.nodes = 3,
                                         .cores_of_node = 2,
                                         .program = "/bin/convoy",
                                         .arguments = {"study", "scale", "--workers=1,8,4", "--threads", "2,4"}});
  EXPECT_THAT(text, AllOf(HasSubstr("--cpus-per-task=12\n"), HasSubstr("sed 's/$/:12/'"))) << "3 workers of 4 threads";
}

TEST(SlurmScript, ThreadsGivenAreTheCoresOfATask) {
  const std::string text = script({"train", "--workers=3", "--threads=5"});
  EXPECT_THAT(text, AllOf(HasSubstr("--ntasks=3\n"), HasSubstr("--cpus-per-task=5\n"), Not(HasSubstr("--nodes")),
                          HasSubstr("convoy train --workers 3 --threads 5\n")));
}

TEST(SlurmScript, HostsAreANumberOfNodesOrTheirNames) {
  EXPECT_THAT(script({"train", "--workers", "6", "--hosts", "4"}),
              AllOf(HasSubstr("--nodes=4\n"), Not(HasSubstr("per-node")), Not(HasSubstr("--hosts"))));
  EXPECT_THAT(script({"train", "--hosts", "a:2,b:2"}),
              AllOf(HasSubstr("--nodes=2\n"), HasSubstr("--nodelist=a,b\n"), HasSubstr("--ntasks=4\n"),
                    HasSubstr("--ntasks-per-node=2\n"), HasSubstr("--cpus-per-task=8\n")));
}

TEST(SlurmScript, OnlyTrainingHasWorkToPutDown) {
  EXPECT_THAT(script({"bench", "train", "--workers", "2"}), Not(HasSubstr("--signal")));
  EXPECT_THAT(slurm_script({.seconds = 100, .program = "convoy", .arguments = {"train"}}), Not(HasSubstr("--signal")));
}

TEST(SlurmScript, WhatCannotRunIsRefused) {
  EXPECT_TRUE(throws_with<UserError>([] { (void)script({}); }, "wants the command"));
  EXPECT_TRUE(throws_with<UserError>([] { (void)script({"trian"}); }, "did you mean train?"));
  EXPECT_TRUE(throws_with<UserError>([] { (void)script({"doctor"}); }, "'doctor' does not run on workers"));
  EXPECT_TRUE(throws_with<UserError>([] { (void)script({"train", "--workers", "x"}); }, "--workers"));
  EXPECT_TRUE(throws_with<UserError>([] { (void)script({"train", "--hosts", "0"}); }, "--hosts"));
}

TEST(SlurmScript, NothingAddsLinesOrRequests) {
  const auto refuses = [](std::vector<std::string> arguments, const char* what) {
    return throws_with<UserError>([&] { (void)script(std::move(arguments)); }, what);
  };
  EXPECT_TRUE(refuses({"train", "--hosts", "a,b\n#SBATCH --account=x"}, "control character"));
  EXPECT_TRUE(refuses({"train", "--hosts=a --account=x,b"}, "--hosts: 'a --account=x' is not a name"));
  EXPECT_TRUE(refuses({"train", "--data", "folder:a\nb", "--workers", "2"}, "'folder:a\\nb'"));
  EXPECT_TRUE(refuses({"train", "--data", "a\rb", "--workers", "2"}, "control character"));
  const auto with_partition = [](const char* name) {
    return [name] { (void)slurm_script({.partition = name, .program = "/bin/convoy", .arguments = {"train"}}); };
  };
  EXPECT_TRUE(throws_with<UserError>(with_partition("cpu\n#SBATCH --account=x"), "--partition"));
  EXPECT_TRUE(throws_with<UserError>(with_partition("cpu --account=x"), "--partition"));
  EXPECT_THAT(script({"train", "--hosts", "n-1.example,n_2"}), HasSubstr("--nodelist=n-1.example,n_2\n"));
}

}  // namespace
}  // namespace convoy::cli
