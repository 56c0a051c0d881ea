// A step allocates nothing. Only oneDNN's execute call cannot help it: in every call it builds a small hash map of its
// arguments on the heap and frees it again. That is counted separately and must leave nothing behind.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "allocation_count.h"
#include "convoy/base/rng.h"
#include "convoy/engine/network.h"
#include "convoy/engine/predictor.h"
#include "convoy/graph/builder.h"
#include "convoy/graph/parameters.h"
#include "convoy/models/zoo.h"
#include "convoy/optim/gradient_norm.h"
#include "convoy/optim/optimizer.h"

namespace convoy::allocation {
namespace {

constexpr int kSteps = 10;

template <typename Net>
void fill(Net& net, std::uint64_t seed) {
  Rng rng(seed);
  for (float& x : net.input()) x = rng.uniform(-1, 1);
  for (std::int32_t& label : net.labels()) label = static_cast<std::int32_t>(rng.below(5));
}

class Training {
 public:
  explicit Training(const Graph& graph, int threads = 2, const std::set<std::string>& frozen = {})
      : network_(graph, {.batch = 6, .threads = threads, .frozen = frozen}),
        optimizer_(make_optimizer({.kind = OptimizerKind::adam}, network_.parameters().table().trainable_floats)),
        update_([this](const ArenaSlice& slice) {
          ParameterStore& store = network_.parameters();
          optimizer_->update(slice.offset, store.parameters().subspan(slice.offset, slice.count),
                             store.gradients().subspan(slice.offset, slice.count));
        }) {
    network_.parameters().initialise(graph, Initialiser::he_normal, 1);
  }

  Network& network() { return network_; }

  void step() {
    fill(network_, step_);
    network_.forward({.seed = 1, .step = step_++, .gradient_scale = 0.0F});
    loss_ = network_.loss();
    optimizer_->begin_step(0.01);
    network_.backward(update_);
    norm_ = gradient_norm(network_.parameters().gradients());
  }

  [[nodiscard]] double loss() const { return loss_; }
  [[nodiscard]] double norm() const { return norm_; }

 private:
  Network network_;
  std::unique_ptr<Optimizer> optimizer_;
  GradientReady update_;
  std::uint64_t step_ = 0;
  double loss_ = 0;
  double norm_ = 0;
};

// Each step is checked separately, so that memory which one step leaves and the next one frees is noticed.
void expect_no_allocations(Training& training) {
  for (int i = 0; i < 2; ++i) training.step();  // threads start, and the library fills its tables
  for (int i = 0; i < kSteps; ++i) {
    start();
    training.step();
    const Count count = stop();
    EXPECT_EQ(count.own, 0) << "in step " << i;
    EXPECT_EQ(count.library_live, 0) << "in step " << i;
    EXPECT_GT(count.executes, 0) << "nothing of the library ran: was the call wrapped?";
    EXPECT_LE(count.library, 16 * count.executes) << "more than a map of arguments";
  }
  EXPECT_TRUE(std::isfinite(training.loss()));
  EXPECT_GT(training.norm(), 0);
}

// A counter that counts nothing would pass every test below.
TEST(AllocationCount, SeesAllocations) {
  start();
  const std::vector<void*> taken = {std::malloc(10), std::calloc(10, 10), std::aligned_alloc(64, 640),
                                    ::operator new(100)};
  EXPECT_EQ(stop().own, 5);  // the vector too
  for (int i = 0; i < 3; ++i) std::free(taken[static_cast<std::size_t>(i)]);
  ::operator delete(taken[3]);
  start();
  const AlignedBuffer mapped(std::size_t{64} << 20U);
  EXPECT_GE(stop().own, 1);
}

TEST(Allocation, NoneInStepsOfAResidualNetwork) {
  for (const int threads : {1, 2}) {
    SCOPED_TRACE(threads);
    Training training(build_model("resnet20", {.input = {3, 16, 16}, .classes = 5}), threads);
    expect_no_allocations(training);
  }
}

TEST(Allocation, NoneInStepsOfAFrozenNetwork) {
  const Graph graph = build_model("resnet20", {.input = {3, 16, 16}, .classes = 5});
  std::set<std::string> batch_norms;
  for (const Parameter& parameter : parameters_of(graph)) {
    if (parameter.role == ParameterRole::scale || parameter.role == ParameterRole::shift) {
      batch_norms.insert(parameter.name);
    }
  }
  Training training(graph, 2, batch_norms);
  expect_no_allocations(training);
}

TEST(Allocation, NoneInStepsWithPoolingDropoutAndLrn) {
  Graph graph;
  Value x = input(graph, {3, 20, 20});
  x = relu(conv(x, {.out = 24, .kernel = 5, .stride = 2, .pad = 2}));
  x = max_pool(lrn(x), {.kernel = 3, .stride = 2});
  x = relu6(batch_norm(conv(x, {.out = 32, .kernel = 3, .pad = 1, .groups = 2, .bias = false})));
  x = concat({average_pool(x, {.kernel = 3, .pad = 1}), conv(x, {.out = 7}), x});
  x = conv(x, {.out = 71, .kernel = 3, .pad = 1, .groups = 71});
  x = dropout(relu(dense(flatten(dropout(x)), {.out = 40})));
  softmax_cross_entropy(dense(x, {.out = 5}), {.label_smoothing = 0.1F});
  for (const int threads : {1, 2}) {
    SCOPED_TRACE(threads);
    Training training(graph, threads);
    expect_no_allocations(training);
  }
}

TEST(Allocation, NoneWhenTheBatchChangesBackAndForth) {
  Training training(build_model("resnet20", {.input = {3, 16, 16}, .classes = 5}));
  for (const std::int64_t batch : {6, 4}) {
    training.network().use_batch(batch);
    training.step();
  }
  for (int i = 0; i < kSteps; ++i) {
    start();
    training.network().use_batch(i % 2 == 0 ? 6 : 4);
    training.step();
    const Count count = stop();
    EXPECT_EQ(count.own, 0) << "in step " << i;
    EXPECT_EQ(count.library_live, 0) << "in step " << i;
  }
}

TEST(Allocation, NoneInPredictions) {
  Predictor predictor(build_model("resnet20", {.input = {3, 16, 16}, .classes = 5}), {.batch = 6, .threads = 2});
  fill(predictor, 1);
  predictor.forward();
  start();
  for (int i = 0; i < kSteps; ++i) predictor.forward();
  const Count count = stop();
  EXPECT_EQ(count.own, 0);
  EXPECT_EQ(count.library_live, 0);
}

}  // namespace
}  // namespace convoy::allocation
