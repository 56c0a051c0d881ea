#include "convoy/cli/launch/rank_environment.h"

#include <gtest/gtest.h>

#include <map>

namespace convoy::cli {
namespace {

std::optional<LaunchedRank> rank_with(const std::map<std::string, std::string>& variables) {
  return launched_rank([&](const std::string& name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    if (found == variables.end()) return std::nullopt;
    return found->second;
  });
}

void expect_rank(const std::optional<LaunchedRank>& launched, int rank, int size) {
  ASSERT_TRUE(launched.has_value());
  EXPECT_EQ(launched->rank, rank);
  EXPECT_EQ(launched->size, size);
}

TEST(RankEnvironment, WithoutALauncherThereIsNoRank) { EXPECT_FALSE(rank_with({}).has_value()); }

TEST(RankEnvironment, MpirunSaysWhoIsWho) {
  expect_rank(rank_with({{"OMPI_COMM_WORLD_RANK", "2"}, {"OMPI_COMM_WORLD_SIZE", "4"}, {"PMIX_RANK", "2"}}), 2, 4);
  expect_rank(rank_with({{"OMPI_COMM_WORLD_RANK", "0"}, {"OMPI_COMM_WORLD_SIZE", "1"}}), 0, 1);
  expect_rank(rank_with({{"PMI_RANK", "1"}, {"PMI_SIZE", "3"}}), 1, 3);
}

TEST(RankEnvironment, SrunWithPmixSaysWhoIsWho) {
  expect_rank(rank_with({{"PMIX_RANK", "1"}, {"SLURM_PROCID", "1"}, {"SLURM_STEP_NUM_TASKS", "2"}}), 1, 2);
}

TEST(RankEnvironment, ALauncherMayLeaveTheSizeOpen) { expect_rank(rank_with({{"PMIX_RANK", "3"}}), 3, 0); }

TEST(RankEnvironment, TasksOfSrunWithoutMpiAreRanksThatDoNotKnowOfEachOther) {
  expect_rank(rank_with({{"SLURM_PROCID", "1"}, {"SLURM_STEP_NUM_TASKS", "2"}}), 1, 2);
}

TEST(RankEnvironment, ASingleProcessInABatchScriptIsNoRank) {
  EXPECT_FALSE(rank_with({{"SLURM_NTASKS", "8"}, {"SLURM_PROCID", "0"}}).has_value());
  EXPECT_FALSE(rank_with({{"SLURM_PROCID", "0"}, {"SLURM_STEP_NUM_TASKS", "1"}}).has_value());
}

TEST(RankEnvironment, NonsenseIsNoRank) {
  EXPECT_FALSE(rank_with({{"OMPI_COMM_WORLD_SIZE", "many"}}).has_value());
  EXPECT_FALSE(rank_with({{"PMIX_RANK", "-1"}}).has_value());
}

}  // namespace
}  // namespace convoy::cli
