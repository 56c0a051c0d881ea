#include "convoy/sync/local_steps.h"

#include <gtest/gtest.h>

#include "convoy/base/error.h"
#include "convoy/comm/thread/thread_world.h"
#include "convoy/sync/local_steps_check_test.h"

namespace convoy {
namespace {

TEST(LocalOptions, AreRefusedOutOfRange) {
  EXPECT_THROW(check_options(LocalOptions{.steps = 0}), UserError);
  EXPECT_THROW(check_options(LocalOptions{.steps = 2, .after = -1}), UserError);
  EXPECT_THROW(check_options(LocalOptions{.steps = 2, .block_rate = 0}), UserError);
  EXPECT_THROW(check_options(LocalOptions{.steps = 2, .block_momentum = 1}), UserError);
  EXPECT_THROW(check_options(LocalOptions{.steps = 2, .block_nesterov = true}), UserError);
  EXPECT_THROW(check_options(LocalOptions{.steps = 1, .block_momentum = 0.5}), UserError);
  EXPECT_NO_THROW(check_options(LocalOptions{.steps = 2, .block_momentum = 0.5, .block_nesterov = true}));
  EXPECT_NO_THROW(check_options(LocalOptions{}));
}

// The steps, counted from 0, after which models are averaged.
std::vector<int> ends(const LocalOptions& options, int steps_per_epoch, int total) {
  const BlockPlan plan(options, steps_per_epoch, total);
  std::vector<int> steps;
  for (int step = 0; step < total; ++step) {
    if (plan.is_alone(step) && plan.ends_block(step)) steps.push_back(step);
  }
  return steps;
}

TEST(BlockPlan, EndsWithEveryKthStepAndEveryEpoch) {
  EXPECT_EQ(ends({.steps = 3}, 7, 14), (std::vector<int>{2, 5, 6, 9, 12, 13}));
  EXPECT_EQ(ends({.steps = 3, .after = 4}, 7, 14), (std::vector<int>{6, 9, 12, 13}));
  EXPECT_EQ(ends({.steps = 4, .after = 1}, 6, 6), (std::vector<int>{4, 5}));
  EXPECT_EQ(ends({.steps = 1}, 7, 14), (std::vector<int>{}));
  EXPECT_EQ(ends({.steps = 100}, 5, 10), (std::vector<int>{4, 9}));
}

TEST(BlockPlan, KnowsWhenModelsDiffer) {
  const BlockPlan plan({.steps = 3, .after = 2}, 10, 20);
  std::vector<int> within;
  for (int done = 0; done <= 10; ++done) {
    if (plan.is_within_block(done)) within.push_back(done);
  }
  EXPECT_EQ(within, (std::vector<int>{3, 4, 6, 7, 9}));
  EXPECT_FALSE(BlockPlan().is_within_block(5));
}

TEST(LocalSteps, GroupsAreNodesOrOnOneNodeRanks) {
  run_as_threads({.ranks = 5, .node_of_rank = {0, 0, 1, 0, 1}}, [](Transport& transport) {
    Communicator world(transport);
    ReplicaMemory memory(world, 8, 8);
    LocalSteps local(world, memory, {.local = {.steps = 2}});
    EXPECT_EQ(local.groups(), (std::vector<std::vector<int>>{{0, 1, 3}, {2, 4}}));
    EXPECT_EQ(local.own_group(), transport.rank() == 2 || transport.rank() == 4 ? 1 : 0);
    EXPECT_EQ(local.communicator().size(), local.own_group() == 0 ? 3 : 2);
    // Sums are over the group only.
    EXPECT_EQ(local.communicator().sum(1.0 + transport.rank()), local.own_group() == 0 ? 7.0 : 8.0);
  });
  run_as_threads({.ranks = 3}, [](Transport& transport) {
    Communicator world(transport);
    ReplicaMemory memory(world, 8, 8);
    LocalSteps local(world, memory, {.local = {.steps = 2}});
    EXPECT_EQ(local.groups(), (std::vector<std::vector<int>>{{0}, {1}, {2}}));
    EXPECT_EQ(local.own_group(), transport.rank());
    EXPECT_EQ(local.communicator().size(), 1);
  });
}

TEST(LocalSteps, AveragesAndMovesByBlocks) {
  for (const LocalOptions& options : all_local_options()) {
    for (const std::vector<int>& nodes : {std::vector<int>{0, 1}, {0, 0, 0}, {0, 1, 1, 0, 2}}) {
      run_as_threads({.ranks = static_cast<int>(nodes.size()), .node_of_rank = nodes}, [&](Transport& transport) {
        Communicator world(transport);
        check_local_steps(world, options);
      });
    }
  }
}

}  // namespace
}  // namespace convoy
