#include "convoy/train/dense_exchange.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "convoy/base/error.h"
#include "convoy/base/mutex.h"
#include "convoy/base/throws_with_test.h"
#include "convoy/comm/thread/thread_world.h"
#include "convoy/train/compression_state.h"
#include "convoy/train/rank_training_test.h"
#include "convoy/train/snapshot.h"

namespace convoy {
namespace {

// Two dense layers: a large one that reads an image in the kernels' layout, and a small one that reads rows.
Graph dense_graph() {
  Graph graph;
  Value x = relu(conv(input(graph, {1, 8, 8}), {.out = 8, .kernel = 3, .pad = 1}));
  x = dropout(relu(dense(flatten(x), {.out = 48, .name = "large"})), {.rate = 0.25F});
  softmax_cross_entropy(dense(x, {.out = 3, .name = "small"}));
  return graph;
}

struct FactorRun {
  std::vector<int> node_of_rank = {0, 1};
  std::string how = "factors";
  CompressionOptions compression = {};
  TrainerOptions options = {.epochs = 3, .batch = 16, .compare_every = 1};
};

struct FactorResult {
  std::vector<float> weights;
  std::vector<double> losses;
  std::string decision;
  std::string description;
  double wire_bytes = 0;  // of all ranks
  Checkpoint checkpoint;
};

const ModelCard kDenseCard = {.model = "dense", .input = {1, 8, 8}, .classes = {"a", "b", "c"}};

FactorResult train_dense(const FactorRun& run, const Checkpoint* start = nullptr) {
  Mutex mutex;
  FactorResult result;
  const int ranks = static_cast<int>(run.node_of_rank.size());
  run_as_threads({.ranks = ranks, .node_of_rank = run.node_of_rank}, [&](Transport& transport) {
    Communicator communicator(transport);
    RankTraining training(communicator, run.options, dense_graph(),
                          {.algorithm = Algorithm::ring, .bucket_bytes = 256, .compression = run.compression}, run.how);
    const bool is_first = transport.rank() == 0;
    if (is_first && start != nullptr) restore(*start, kDenseCard, training.trainer);
    share_start(training.trainer);
    share_compression(
        is_first && start != nullptr ? std::span<const NamedTensor>(start->optimizer) : std::span<const NamedTensor>(),
        training.trainer);
    (void)training.trainer.run();
    gather_optimizer(training.trainer);
    std::vector<NamedTensor> remembered = gather_compression(training.trainer);
    const double wire_bytes = communicator.sum(static_cast<double>(transport.wire_bytes()));
    if (!is_first) return;
    const auto weights = training.network.parameters().parameters();
    const MutexLock lock(mutex);
    result = {.weights = {weights.begin(), weights.end()},
              .losses = training.losses.losses,
              .decision = training.trained.dense->decision(),
              .description = training.trained.replica.reducer().description(),
              .wire_bytes = wire_bytes,
              .checkpoint = take_snapshot(training.trainer, kDenseCard, "synthetic")};
    std::ranges::move(remembered, std::back_inserter(result.checkpoint.optimizer));
  });
  return result;
}

void expect_near(const FactorResult& result, const FactorResult& expected, double tolerance) {
  ASSERT_EQ(result.losses.size(), expected.losses.size());
  for (std::size_t i = 0; i < result.losses.size(); ++i) {
    ASSERT_NEAR(result.losses[i], expected.losses[i], tolerance * expected.losses[i]) << "step " << i;
  }
  ASSERT_EQ(result.weights.size(), expected.weights.size());
  for (std::size_t i = 0; i < result.weights.size(); ++i) {
    ASSERT_NEAR(result.weights[i], expected.weights[i], tolerance) << "weight " << i;
  }
}

// 50 samples in batches of 16: ranks have different numbers of rows, and in the last batch of an epoch some have none.
TEST(DenseExchange, FactorsTrainAsGradientsDo) {
  for (const std::vector<int>& nodes : {std::vector<int>{0, 1}, {0, 1, 2}, {0, 0, 1, 1}, {0, 1, 1, 0, 2}}) {
    SCOPED_TRACE(nodes.size());
    const FactorResult factors = train_dense({.node_of_rank = nodes});
    const FactorResult gradients = train_dense({.node_of_rank = nodes, .how = "gradients"});
    EXPECT_EQ(factors.decision, "small,large");
    EXPECT_EQ(gradients.decision, "gradients");
    expect_near(factors, gradients, 1e-4);
    EXPECT_LT(factors.wire_bytes, gradients.wire_bytes / 2);
    EXPECT_NE(factors.description.find("; made from factors: small, large"), std::string::npos) << factors.description;
  }
}

TEST(DenseExchange, SomeLayersAreEnough) {
  const FactorResult some = train_dense({.how = "large"});
  EXPECT_EQ(some.decision, "large");
  expect_near(some, train_dense({.how = "gradients"}), 1e-4);
}

TEST(DenseExchange, ClipsByTheNormOfAll) {
  const TrainerOptions options{.epochs = 2, .batch = 16, .clip_norm = 0.05, .compare_every = 1};
  expect_near(train_dense({.options = options}), train_dense({.how = "gradients", .options = options}), 1e-4);
}

// Ranks without rows send a placeholder through their batch norms. This network has none, but the code path is the
// same.
TEST(DenseExchange, WorksWithBatchNormOverAllRanks) {
  const TrainerOptions options{.epochs = 2, .batch = 16, .sync_batch_norm = true, .compare_every = 1};
  expect_near(train_dense({.node_of_rank = {0, 1, 2}, .options = options}),
              train_dense({.node_of_rank = {0, 1, 2}, .how = "gradients", .options = options}), 1e-4);
}

TEST(DenseExchange, GoesWithCodecsAndStaysExactWithMost) {
  const FactorResult exact = train_dense({});
  for (const std::string& name : codec_names()) {
    SCOPED_TRACE(name);
    const CompressionOptions compression{.codec = codec_named(name), .block = 64, .share = 0.5, .rank = 1};
    const FactorResult result = train_dense({.compression = compression});
    ASSERT_EQ(result.decision, "small,large");
    EXPECT_NEAR(result.losses.back(), exact.losses.back(), 0.2);
    if (name == "bf16" || name == "int8") {
      EXPECT_LT(result.wire_bytes, 0.75 * exact.wire_bytes);
    }
    const FactorResult half = train_dense({.compression = compression, .options = {.epochs = 1, .batch = 16}});
    EXPECT_EQ(train_dense({.compression = compression}, &half.checkpoint).weights, result.weights)
        << "goes on to the bit";
  }
}

TEST(DenseExchange, DecidesByItself) {
  const FactorResult result = train_dense({.how = "auto"});
  EXPECT_EQ(train_dense({.how = result.decision}).weights, result.weights) << "what was decided repeats it";
  EXPECT_EQ(train_dense({.node_of_rank = {0, 0}, .how = "factors"}).decision, "gradients") << "one node";
}

TEST(DenseExchange, RefusesWhatCannotBe) {
  const auto check = [](const std::string& how) {
    return [how] { check_options(DenseExchangeOptions{.how = how}, dense_graph()); };
  };
  EXPECT_NO_THROW(check("small,large")());
  EXPECT_NO_THROW(check("small=gradients,large=activations")());
  EXPECT_TRUE(throws_with<UserError>(check("large=activation"), "got \"activation\""));
  EXPECT_TRUE(throws_with<UserError>(check("factor"), "got \"factor\""));
  EXPECT_TRUE(throws_with<UserError>(check("large,conv1"), "got \"conv1\""));
  const auto with_unequal_threads = [](const std::string& how) {
    run_as_threads({.ranks = 2, .node_of_rank = {0, 1}}, [&](Transport& transport) {
      Communicator communicator(transport);
      const RankTraining training(communicator, {.batch = 16}, dense_graph(), {}, how, 1 + transport.rank());
      EXPECT_EQ(training.trained.dense->decision(), "gradients");
    });
  };
  EXPECT_TRUE(throws_with<UserError>([&] { with_unequal_threads("factors"); }, "round products differently"));
  with_unequal_threads("auto");
}

}  // namespace
}  // namespace convoy
