// Compares training in which each node updates its shards with training in which every node updates everything.
#include <gtest/gtest.h>

#include "convoy/base/mutex.h"
#include "convoy/comm/thread/thread_world.h"
#include "convoy/train/rank_training_test.h"
#include "convoy/train/snapshot.h"

namespace convoy {
namespace {

struct ShardedTraining {
  std::vector<int> node_of_rank = {0, 1, 2};
  bool shards = true;
  DataType precision = DataType::fp32;
  OptimizerKind optimizer = OptimizerKind::momentum;
  std::string dense = "gradients";
  std::int64_t epochs = 6;  // 24 steps, of which the 21st waits for all gradients before it updates
};

struct ShardedResult {
  std::vector<double> losses;
  Checkpoint checkpoint;
};

// Trains from the beginning, or from the checkpoint `start`. After every third step the ranks compare their weights.
ShardedResult train_shards(const ShardedTraining& run, const Checkpoint* start = nullptr) {
  Mutex mutex;
  ShardedResult result;
  run_as_threads({.ranks = static_cast<int>(run.node_of_rank.size()), .node_of_rank = run.node_of_rank},
                 [&](Transport& transport) {
                   Communicator communicator(transport);
                   RankTraining training(communicator, {.epochs = run.epochs, .batch = 16, .compare_every = 3},
                                         small_graph(),
                                         {.algorithm = Algorithm::ring, .bucket_bytes = 128, .shards = run.shards},
                                         run.dense, 1, run.optimizer, run.precision);
                   if (transport.rank() == 0 && start != nullptr) restore(*start, kSmallCard, training.trainer);
                   share_start(training.trainer);
                   (void)training.trainer.run();
                   gather_optimizer(training.trainer);
                   if (transport.rank() != 0) return;
                   const MutexLock lock(mutex);
                   result = {.losses = training.losses.losses,
                             .checkpoint = take_snapshot(training.trainer, kSmallCard, "synthetic")};
                 });
  return result;
}

TEST(ShardedTraining, HasTheWeightsOfARing) {
  for (const DataType precision : {DataType::fp32, DataType::bf16}) {
    for (const std::vector<int>& nodes : {std::vector<int>{0, 1}, {0, 1, 2}}) {
      SCOPED_TRACE(name_of(precision));
      const ShardedResult everywhere = train_shards({.node_of_rank = nodes, .shards = false, .precision = precision});
      const ShardedResult sharded = train_shards({.node_of_rank = nodes, .precision = precision});
      EXPECT_EQ(sharded.losses, everywhere.losses);
      EXPECT_TRUE(sharded.checkpoint.weights == everywhere.checkpoint.weights);
      EXPECT_TRUE(sharded.checkpoint.optimizer == everywhere.checkpoint.optimizer);
    }
  }
}

TEST(ShardedTraining, GoesOnToTheBit) {
  for (const DataType precision : {DataType::fp32, DataType::bf16}) {
    for (const std::vector<int>& nodes : {std::vector<int>{0, 1}, {0, 1, 1, 0, 2}}) {
      SCOPED_TRACE(name_of(precision));
      const ShardedResult whole = train_shards({.node_of_rank = nodes, .precision = precision});
      const ShardedResult half = train_shards({.node_of_rank = nodes, .precision = precision, .epochs = 3});
      const ShardedResult rest = train_shards({.node_of_rank = nodes, .precision = precision}, &half.checkpoint);
      EXPECT_FALSE(half.checkpoint.weights == whole.checkpoint.weights);
      EXPECT_TRUE(rest.checkpoint.weights == whole.checkpoint.weights);
      EXPECT_TRUE(rest.checkpoint.optimizer == whole.checkpoint.optimizer);
    }
  }
}

// The norm of a layer is a sum over all shards. Dense layers that exchange factors are updated everywhere, but count
// only once.
TEST(ShardedTraining, LayerWiseRulesSeeWholeLayers) {
  for (const OptimizerKind optimizer : {OptimizerKind::lars, OptimizerKind::lamb}) {
    for (const char* const dense : {"gradients", "factors"}) {
      SCOPED_TRACE(dense);
      const ShardedResult everywhere = train_shards({.shards = false, .optimizer = optimizer, .dense = dense});
      const ShardedResult sharded = train_shards({.optimizer = optimizer, .dense = dense});
      ASSERT_EQ(sharded.losses.size(), everywhere.losses.size());
      for (std::size_t i = 0; i < sharded.losses.size(); ++i) {
        EXPECT_NEAR(sharded.losses[i], everywhere.losses[i], 1e-4 * everywhere.losses[i]);
      }
    }
  }
}

}  // namespace
}  // namespace convoy
