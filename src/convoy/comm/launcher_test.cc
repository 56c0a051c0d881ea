#include "convoy/comm/launcher.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

namespace convoy {
namespace {

using testing::HasSubstr;

EnvironmentLookup environment(const std::map<std::string, std::string>& variables) {
  return [variables](const std::string& name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    if (found == variables.end()) return std::nullopt;
    return found->second;
  };
}

TEST(Launcher, AloneWithoutALauncherIsFine) { EXPECT_EQ(launcher_mismatch(environment({}), 1), std::nullopt); }

TEST(Launcher, SeveralRanksThatMpiSeesAreFine) {
  EXPECT_EQ(launcher_mismatch(environment({{"OMPI_COMM_WORLD_SIZE", "4"}}), 4), std::nullopt);
  EXPECT_EQ(launcher_mismatch(environment({{"SLURM_STEP_NUM_TASKS", "4"}}), 4), std::nullopt);
}

TEST(Launcher, OneRankThatWasMeantIsFine) {
  EXPECT_EQ(launcher_mismatch(environment({{"OMPI_COMM_WORLD_SIZE", "1"}, {"SLURM_STEP_NUM_TASKS", "1"}}), 1),
            std::nullopt);
}

TEST(Launcher, SeveralProcessesThatAreAllAloneAreExplained) {
  EXPECT_THAT(launcher_mismatch(environment({{"SLURM_STEP_NUM_TASKS", "4"}}), 1).value_or(""),
              testing::AllOf(HasSubstr("srun started 4 ranks"), HasSubstr("--mpi=pmix")));
  EXPECT_THAT(launcher_mismatch(environment({{"PMI_SIZE", "2"}}), 1).value_or(""), HasSubstr("MPICH"));
  EXPECT_THAT(launcher_mismatch(environment({{"OMPI_COMM_WORLD_SIZE", "3"}}), 1).value_or(""),
              HasSubstr("OMPI_COMM_WORLD_SIZE=3"));
}

// A batch script has SLURM_NTASKS, but what it starts without srun is a single process.
TEST(Launcher, AProcessInABatchScriptIsFine) {
  EXPECT_EQ(launcher_mismatch(environment({{"SLURM_NTASKS", "8"}, {"PMI_SIZE", "many"}}), 1), std::nullopt);
}

}  // namespace
}  // namespace convoy
