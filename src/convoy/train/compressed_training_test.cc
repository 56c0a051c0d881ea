// Training with gradients compressed between nodes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "convoy/base/mutex.h"
#include "convoy/comm/thread/thread_world.h"
#include "convoy/train/compressible_tensors.h"
#include "convoy/train/compression_state.h"
#include "convoy/train/rank_training_test.h"
#include "convoy/train/snapshot.h"

namespace convoy {
namespace {

struct CompressedRun {
  std::vector<int> node_of_rank;
  CompressionOptions compression;
  std::int64_t epochs = 4;
};

struct CompressedResult {
  std::vector<std::vector<float>> weights;  // by rank
  std::vector<double> losses;
  double wire_bytes = 0;
  Checkpoint checkpoint;
};

struct WireBytes : Observer {
  void on_epoch(const Trainer& /*trainer*/, const EpochEvent& event) override {
    total += event.record.wire_bytes.value_or(0);
  }
  double total = 0;
};

// Trains from the beginning, or from the checkpoint `start`.
CompressedResult train_compressed(const CompressedRun& run, const Checkpoint* start = nullptr) {
  Mutex mutex;
  CompressedResult result;
  result.weights.resize(run.node_of_rank.size());
  run_as_threads({.ranks = static_cast<int>(run.node_of_rank.size()), .node_of_rank = run.node_of_rank},
                 [&](Transport& transport) {
                   Communicator communicator(transport);
                   RankTraining training(communicator, {.epochs = run.epochs, .batch = 16, .compare_every = 1},
                                         small_graph(), {.bucket_bytes = 128, .compression = run.compression});
                   WireBytes wire;
                   training.trainer.add(wire);
                   const bool is_first = transport.rank() == 0;
                   if (is_first && start != nullptr) restore(*start, kSmallCard, training.trainer);
                   share_start(training.trainer);
                   const bool has_start = is_first && start != nullptr;
                   share_compression(
                       has_start ? std::span<const NamedTensor>(start->optimizer) : std::span<const NamedTensor>(),
                       training.trainer);
                   (void)training.trainer.run();
                   gather_optimizer(training.trainer);
                   std::vector<NamedTensor> remembered = gather_compression(training.trainer);
                   const auto weights = training.network.parameters().parameters();
                   const MutexLock lock(mutex);
                   result.weights[static_cast<std::size_t>(transport.rank())] = {weights.begin(), weights.end()};
                   if (!is_first) return;
                   result.losses = training.losses.losses;
                   result.wire_bytes = wire.total;
                   result.checkpoint = take_snapshot(training.trainer, kSmallCard, "synthetic");
                   std::ranges::move(remembered, std::back_inserter(result.checkpoint.optimizer));
                 });
  for (const std::vector<float>& weights : result.weights) EXPECT_EQ(weights, result.weights[0]);
  return result;
}

std::vector<CompressionOptions> all_kinds() {
  std::vector<CompressionOptions> all;
  for (const std::string& name : codec_names()) {
    all.push_back({.codec = codec_named(name), .block = 64, .share = 0.2, .rank = 1});
  }
  return all;
}

TEST(CompressedTraining, GoesOnToTheBit) {
  for (const CompressionOptions& compression : all_kinds()) {
    for (const std::vector<int>& nodes : {std::vector<int>{0, 1}, std::vector<int>{0, 1, 1, 0, 2}}) {
      SCOPED_TRACE(codec_names()[static_cast<std::size_t>(compression.codec)]);
      const CompressedResult whole = train_compressed({.node_of_rank = nodes, .compression = compression});
      const CompressedResult half = train_compressed({.node_of_rank = nodes, .compression = compression, .epochs = 2});
      const CompressedResult rest =
          train_compressed({.node_of_rank = nodes, .compression = compression}, &half.checkpoint);
      EXPECT_NE(half.weights[0], whole.weights[0]);
      EXPECT_EQ(rest.weights[0], whole.weights[0]);
    }
  }
}

TEST(CompressedTraining, LearnsAsWithoutAndSendsLess) {
  const CompressedResult exact = train_compressed({.node_of_rank = {0, 1}, .compression = {}});
  for (const CompressionOptions& compression : all_kinds()) {
    SCOPED_TRACE(codec_names()[static_cast<std::size_t>(compression.codec)]);
    const CompressedResult result = train_compressed({.node_of_rank = {0, 1}, .compression = compression});
    EXPECT_NEAR(result.losses.back(), exact.losses.back(), 0.3 * exact.losses.back());
    EXPECT_GT(result.wire_bytes, 0);
  }
  EXPECT_EQ(train_compressed({.node_of_rank = {0, 0}, .compression = {.codec = CodecKind::onebit}}).wire_bytes, 0);
}

TEST(CompressedTraining, IsExactUntilItBegins) {
  const CompressedResult exact = train_compressed({.node_of_rank = {0, 1, 2}, .compression = {}});
  const CompressionOptions never{.codec = CodecKind::onebit, .after = 1000, .block = 64};
  EXPECT_EQ(train_compressed({.node_of_rank = {0, 1, 2}, .compression = never}).weights[0], exact.weights[0]);
  const CompressionOptions later{.codec = CodecKind::onebit, .after = 9, .block = 64};
  const CompressedResult result = train_compressed({.node_of_rank = {0, 1, 2}, .compression = later});
  EXPECT_TRUE(std::equal(exact.losses.begin(), exact.losses.begin() + 10, result.losses.begin()));
  EXPECT_NE(result.losses, exact.losses);
}

// The sum over all nodes of what they have not sent yet, for each element.
std::vector<double> owed(const Checkpoint& checkpoint, const std::string& parameter, int* nodes) {
  std::vector<double> total;
  for (*nodes = 0;; ++*nodes) {
    const NamedTensor* const tensor =
        find_tensor(checkpoint.optimizer, "error." + std::to_string(*nodes) + "/" + parameter);
    if (tensor == nullptr) return total;
    const auto& values = std::get<std::vector<float>>(tensor->values);
    total.resize(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) total[i] += values[i];
  }
}

TEST(CompressedTraining, OtherNodesOweTheSameTogether) {
  for (const CodecKind codec : {CodecKind::onebit, CodecKind::topk, CodecKind::powersgd}) {
    const CompressionOptions compression{.codec = codec, .block = 64, .share = 0.1, .rank = 1};
    const CompressedResult three =
        train_compressed({.node_of_rank = {0, 1, 2}, .compression = compression, .epochs = 2});
    for (const std::vector<int>& other : {std::vector<int>{0, 1}, std::vector<int>{0, 0, 1, 2, 3}}) {
      // No step is left, so it saves what it was given.
      const CompressedResult moved =
          train_compressed({.node_of_rank = other, .compression = compression, .epochs = 2}, &three.checkpoint);
      for (const char* const name : {"conv1.weight", "dense1.weight"}) {
        int nodes_before = 0;
        int nodes = 0;
        const std::vector<double> before = owed(three.checkpoint, name, &nodes_before);
        const std::vector<double> after = owed(moved.checkpoint, name, &nodes);
        EXPECT_EQ(nodes_before, 3);
        EXPECT_EQ(nodes, other.back() + 1);
        ASSERT_EQ(before.size(), after.size());
        EXPECT_GT(std::ranges::max(before), 0);
        for (std::size_t i = 0; i < before.size(); ++i) ASSERT_NEAR(before[i], after[i], 1e-6) << name << " " << i;
      }
    }
  }
}

// Every element of the tensor is found where the network has it; all other places are padding.
TEST(CompressibleTensors, AreWeightsWithTheirPlaces) {
  Graph graph;
  Value x = input(graph, {3, 8, 8});
  x = relu(batch_norm(conv(x, {.out = 6, .kernel = 3, .pad = 1, .bias = false, .name = "a"})));
  x = relu(conv(x, {.out = 20, .kernel = 3, .pad = 1, .name = "b"}));
  softmax_cross_entropy(dense(flatten(x), {.out = 10, .name = "c"}));
  const Choices choices = untuned(graph);
  const Plan plan = compile(graph, {.batch = 4, .threads = 1, .choices = &choices});
  const std::vector<CompressibleTensor> tensors = compressible_tensors(plan);
  ASSERT_EQ(tensors.size(), 3U);
  EXPECT_TRUE(std::ranges::is_sorted(tensors, {}, [](const auto& tensor) { return tensor.slice.offset; }));
  ParameterStore store(plan.device, plan.parameters);
  for (const CompressibleTensor& tensor : tensors) {
    const int index = plan.parameters.find(tensor.name);
    const Shape& shape = plan.parameters.entries[static_cast<std::size_t>(index)].parameter.shape;
    ASSERT_EQ(static_cast<std::int64_t>(tensor.rows.size()), shape[0]);
    ASSERT_EQ(static_cast<std::int64_t>(tensor.rows.size() * tensor.columns.size()), shape.count());
    std::vector<float> plain(static_cast<std::size_t>(shape.count()));
    for (std::size_t i = 0; i < plain.size(); ++i) plain[i] = static_cast<float>(i + 1);
    store.set_parameter(index, plain);
    const auto values = store.parameters();
    for (std::size_t i = 0; i < plain.size(); ++i) {
      const std::size_t place =
          tensor.slice.offset + tensor.rows[i / tensor.columns.size()] + tensor.columns[i % tensor.columns.size()];
      ASSERT_EQ(values[place], plain[i]) << tensor.name << " " << i;
    }
    std::size_t padding = 0;
    for (const ArenaSlice& slice : tensor.padding) {
      padding += slice.count;
      for (std::size_t i = slice.offset; i < slice.end(); ++i) ASSERT_EQ(values[i], 0.0F);
    }
    EXPECT_EQ(padding + plain.size(), tensor.slice.count);
  }
}

}  // namespace
}  // namespace convoy
