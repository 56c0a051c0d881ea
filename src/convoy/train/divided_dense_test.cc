// Compares training with dense layers that are divided between ranks with training in which every rank has all of them.
#include "convoy/train/divided_dense.h"

#include <gtest/gtest.h>

#include "convoy/base/mutex.h"
#include "convoy/comm/thread/thread_world.h"
#include "convoy/train/dense_exchange.h"
#include "convoy/train/rank_training_test.h"
#include "convoy/train/snapshot.h"

namespace convoy {
namespace {

// A dense layer that reads an image with half-filled blocks of channels, one that reads rows and has no activation, and
// one that is too small to be divided. Outputs do not divide evenly. The batch norm goes by each rank's own rows.
Graph divided_graph() {
  Graph graph;
  Value x = relu(batch_norm(conv(input(graph, {1, 8, 8}), {.out = 8, .kernel = 3, .pad = 1, .bias = false})));
  x = dropout(relu(dense(flatten(x), {.out = 91, .name = "first"})), {.rate = 0.25F});
  x = dense(x, {.out = 80, .name = "second"});
  softmax_cross_entropy(dense(x, {.out = 3, .name = "last"}));
  return graph;
}

const ModelCard kCard = {.model = "divided", .input = {1, 8, 8}, .classes = {"a", "b", "c"}};

struct DividedRun {
  std::vector<int> node_of_rank = {0, 1};
  std::string how = "first=activations,second=activations";
  TrainerOptions options = {.epochs = 2, .batch = 16, .compare_every = 2};
  DataType precision = DataType::fp32;
  OptimizerKind optimizer = OptimizerKind::momentum;
  bool shards = false;
  CompressionOptions compression = {};
};

struct DividedResult {
  std::vector<double> losses;
  std::string decision;
  std::string description;
  Checkpoint checkpoint;
};

DividedResult train_divided(const DividedRun& run, const Checkpoint* start = nullptr) {
  Mutex mutex;
  DividedResult result;
  run_as_threads({.ranks = static_cast<int>(run.node_of_rank.size()), .node_of_rank = run.node_of_rank},
                 [&](Transport& transport) {
                   Communicator communicator(transport);
                   RankTraining training(communicator, run.options, divided_graph(),
                                         {.algorithm = Algorithm::ring,
                                          .bucket_bytes = 1 << 14,
                                          .compression = run.compression,
                                          .shards = run.shards},
                                         run.how, 1, run.optimizer, run.precision);
                   if (transport.rank() == 0 && start != nullptr) restore(*start, kCard, training.trainer);
                   share_start(training.trainer);
                   (void)training.trainer.run();
                   gather_optimizer(training.trainer);
                   if (transport.rank() != 0) return;
                   const MutexLock lock(mutex);
                   result = {.losses = training.losses.losses,
                             .decision = training.trained.dense->decision(),
                             .description = training.trained.replica.reducer().description(),
                             .checkpoint = take_snapshot(training.trainer, kCard, "synthetic")};
                 });
  return result;
}

void expect_tensors_near(std::span<const NamedTensor> tensors, std::span<const NamedTensor> expected,
                         double tolerance) {
  ASSERT_EQ(tensors.size(), expected.size());
  for (std::size_t t = 0; t < tensors.size(); ++t) {
    SCOPED_TRACE(tensors[t].name);
    const auto* const values = std::get_if<std::vector<float>>(&tensors[t].values);
    if (values == nullptr) continue;
    expect_weights_near(*values, std::get<std::vector<float>>(expected[t].values), tolerance);
  }
}

void expect_results_near(const DividedResult& result, const DividedResult& expected, double tolerance) {
  ASSERT_EQ(result.losses.size(), expected.losses.size());
  for (std::size_t i = 0; i < result.losses.size(); ++i) {
    ASSERT_NEAR(result.losses[i], expected.losses[i], tolerance * expected.losses[i]) << "step " << i;
  }
  expect_tensors_near(result.checkpoint.weights, expected.checkpoint.weights, tolerance);
  expect_tensors_near(result.checkpoint.optimizer, expected.checkpoint.optimizer, tolerance);
}

DividedRun by_gradients(DividedRun run) {
  run.how = "gradients";
  return run;
}

// 50 samples in batches of 16: ranks have different numbers of rows, and in the last batch of an epoch some have none.
TEST(DividedDense, TrainsAsIfEveryRankHadAllOfIt) {
  for (const std::vector<int>& nodes : {std::vector<int>{0, 1}, {0, 1, 2}, {0, 0, 1, 1}, {0, 1, 1, 0, 2}}) {
    SCOPED_TRACE(nodes.size());
    const DividedRun run{.node_of_rank = nodes};
    const DividedResult divided = train_divided(run);
    EXPECT_EQ(divided.decision, "second=activations,first=activations");
    EXPECT_NE(divided.description.find("; divided: second, first"), std::string::npos) << divided.description;
    expect_results_near(divided, train_divided(by_gradients(run)), 1e-4);
  }
}

TEST(DividedDense, TrainsWithEveryRuleThatNeedsTheWholeGradient) {
  for (const OptimizerKind optimizer : {OptimizerKind::adam, OptimizerKind::lars, OptimizerKind::lamb}) {
    SCOPED_TRACE(static_cast<int>(optimizer));
    DividedRun run{.node_of_rank = {0, 1, 2}, .optimizer = optimizer};
    expect_results_near(train_divided(run), train_divided(by_gradients(run)), 2e-3);
  }
  DividedRun clipped{.options = {.epochs = 2, .batch = 16, .clip_norm = 0.05, .compare_every = 1}};
  expect_results_near(train_divided(clipped), train_divided(by_gradients(clipped)), 1e-4);
  DividedRun together{.node_of_rank = {0, 1, 2},
                      .options = {.epochs = 2, .batch = 16, .sync_batch_norm = true, .compare_every = 1}};
  expect_results_near(train_divided(together), train_divided(by_gradients(together)), 1e-4);
}

// bf16 keeps 8 bits of a value, and shares of the input's gradient are rounded before they are added: the first steps
// are alike and no more.
TEST(DividedDense, TrainsInBfloat16) {
  const DividedRun run{.node_of_rank = {0, 1, 2}, .precision = DataType::bf16};
  const std::vector<double> divided = train_divided(run).losses;
  const std::vector<double> expected = train_divided(by_gradients(run)).losses;
  EXPECT_NEAR(divided[0], expected[0], 4e-3 * expected[0]);
  for (std::size_t i = 1; i < 4; ++i) EXPECT_NEAR(divided[i], expected[i], 0.05 * expected[i]) << "step " << i;
}

TEST(DividedDense, GoesWithShardsOfOtherLayers) {
  for (const DataType precision : {DataType::fp32, DataType::bf16}) {
    for (const OptimizerKind optimizer : {OptimizerKind::momentum, OptimizerKind::adam}) {
      SCOPED_TRACE(name_of(precision));
      DividedRun run{.node_of_rank = {0, 1, 2}, .precision = precision, .optimizer = optimizer};
      const DividedResult everywhere = train_divided(run);
      run.shards = true;
      const DividedResult sharded = train_divided(run);
      EXPECT_EQ(sharded.losses, everywhere.losses);
      EXPECT_TRUE(sharded.checkpoint.weights == everywhere.checkpoint.weights);
      EXPECT_TRUE(sharded.checkpoint.optimizer == everywhere.checkpoint.optimizer);
    }
  }
}

// What other ranks have of a layer is old between steps; nothing that looks at it may change the result.
TEST(DividedDense, ComparingAndSavingChangesNothing) {
  DividedRun often{.node_of_rank = {0, 1, 2}};
  often.options.compare_every = 1;
  DividedRun never = often;
  never.options.compare_every = 1000;
  EXPECT_TRUE(train_divided(often).checkpoint.weights == train_divided(never).checkpoint.weights);
}

TEST(DividedDense, GoesOnToTheBit) {
  for (const CodecKind codec : {CodecKind::none, CodecKind::int8}) {
    DividedRun run{.node_of_rank = {0, 1, 2}, .compression = {.codec = codec, .block = 64}};
    const DividedResult whole = train_divided(run);
    DividedRun begun = run;
    begun.options.epochs = 1;
    const DividedResult first = train_divided(begun);
    const DividedResult rest = train_divided(run, &first.checkpoint);
    EXPECT_TRUE(rest.checkpoint.weights == whole.checkpoint.weights);
    EXPECT_TRUE(rest.checkpoint.optimizer == whole.checkpoint.optimizer);
    run.node_of_rank = {0, 0};
    EXPECT_EQ(train_divided(run, &first.checkpoint).decision, "gradients") << "on one node nothing is divided";
  }
}

TEST(DividedDense, ALayerThatCannotBeDividedExchangesGradients) {
  const DividedResult all = train_divided({.how = "activations"});
  EXPECT_EQ(all.decision, "second=activations,first=activations") << "three outputs are too few";
  expect_results_near(all, train_divided({}), 1e-4);
}

}  // namespace
}  // namespace convoy
