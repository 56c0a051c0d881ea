#include "convoy/engine/lowering.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "convoy/engine/program_simulation_test.h"
#include "convoy/engine/random_graph_test.h"
#include "convoy/engine/untuned_test.h"
#include "convoy/graph/builder.h"

namespace convoy {
namespace {

using kernels::Layout;
using kernels::Role;
using testing::Each;
using testing::ElementsAre;

// Whether both have the same order in memory. Rows of an image may have two dimensions or four.
bool same_order(const Layout& a, const Layout& b) {
  const bool both_plain = a == Layout::plain(a.dims()) && b == Layout::plain(b.dims());
  return a == b || (both_plain && a.bytes() == b.bytes());
}

// Every kernel gets the memory that it needs and finds values in the layout in which they were written.
void expect_kernels_agree(const Lowered& lowered) {
  std::map<BufferId, Layout> written;
  for (const Instruction& instruction : lowered.program.instructions) {
    for (const Operand& operand : instruction.operands) {
      if (operand.space != Space::buffer) {
        continue;
      }
      const Buffer& buffer = lowered.program.buffers[static_cast<std::size_t>(operand.index)];
      EXPECT_LE(instruction.prepared->bytes(operand.role), buffer.bytes)
          << name_of(instruction.phase) << " of layer " << instruction.layer << ", " << buffer.name;
      const Layout layout = instruction.prepared->layout(operand.role);
      if (writes(instruction, operand.role)) {
        written[operand.index] = layout;
      } else if (written.contains(operand.index) && !layout.empty()) {
        EXPECT_TRUE(same_order(layout, written[operand.index]))
            << name_of(instruction.phase) << " of layer " << instruction.layer << " reads " << buffer.name << " as "
            << layout.describe() << ", but it was written as " << written[operand.index].describe();
      }
    }
  }
}

TEST(Lowering, KernelsAgreeAboutMemoryAndLayouts) {
  const kernels::Device device(2);
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    for (const bool fuse : {true, false}) {
      SCOPED_TRACE(seed);
      expect_kernels_agree(lower_untuned(random_graph(seed), device, {.batch = 2, .fuse = fuse}));
    }
  }
}

TEST(Lowering, KernelsAgreeInFrozenNetworks) {
  const kernels::Device device(2);
  for (std::uint64_t seed = 40; seed < 80; ++seed) {
    for (const bool fuse : {true, false}) {
      SCOPED_TRACE(seed);
      const Graph graph = random_graph(seed);
      const auto frozen = random_frozen(graph, seed);
      expect_kernels_agree(lower_untuned(graph, device, {.batch = 2, .fuse = fuse, .frozen = frozen}));
    }
  }
}

TEST(Lowering, KernelsAgreeWhenTwoBatchNormsReadTheSamples) {
  const kernels::Device device(2);
  Graph graph;
  const Value x = input(graph, {3, 6, 6});
  mean_squared_error(dense(add(batch_norm(x), batch_norm(x)), {.out = 4}));
  expect_kernels_agree(lower_untuned(graph, device, {.batch = 2}));
}

// The phases in which a layer has instructions, in order.
std::vector<std::string> phases_of(const Lowered& lowered, Value value) {
  std::vector<std::string> phases;
  for (const Instruction& instruction : lowered.program.instructions) {
    if (instruction.layer == value.id()) {
      phases.emplace_back(name_of(instruction.phase));
    }
  }
  return phases;
}

TEST(Lowering, TheFirstLayersDataGradientIsNotComputed) {
  const kernels::Device device(2);
  Graph graph;
  const Value x = input(graph, {3, 8, 8});
  const Value first = conv(x, {.out = 4, .kernel = 3});
  const Value second = conv(first, {.out = 4, .kernel = 3});
  const Value last = dense(second, {.out = 4});
  softmax_cross_entropy(last);
  const Lowered lowered = lower_untuned(graph, device, {.batch = 2});
  EXPECT_THAT(phases_of(lowered, first), ElementsAre("forward", "backward weights"));
  EXPECT_THAT(phases_of(lowered, second), ElementsAre("forward", "backward data", "backward weights"));
  EXPECT_THAT(phases_of(lowered, last), ElementsAre("forward", "backward data", "backward weights"));
}

TEST(Lowering, NoGradientGoesThroughWhatHasNoParametersBeforeIt) {
  const kernels::Device device(2);
  Graph graph;
  const Value pooled = max_pool(input(graph, {3, 8, 8}), {.kernel = 2, .stride = 2});
  const Value first = dense(pooled, {.out = 4});
  softmax_cross_entropy(first);
  const Lowered lowered = lower_untuned(graph, device, {.batch = 2});
  EXPECT_THAT(phases_of(lowered, pooled), Each("forward"));
  EXPECT_THAT(phases_of(lowered, first), ElementsAre("forward", "backward weights"));
}

TEST(Lowering, MaxPoolingPassesNoGradientToWhatTheActivationStopped) {
  const kernels::Device device(2);
  Graph graph;
  const Value first = conv(input(graph, {3, 8, 8}), {.out = 4, .kernel = 3, .name = "first"});
  const Value activated = relu(first);
  const Value second = conv(max_pool(activated, {.kernel = 2, .stride = 2}), {.out = 4, .name = "second"});
  const Value twice_read = relu(second);
  softmax_cross_entropy(dense(add(max_pool(twice_read, {.kernel = 1}), twice_read), {.out = 4}));
  const Lowered lowered = lower_untuned(graph, device, {.batch = 2});
  EXPECT_THAT(phases_of(lowered, first), ElementsAre("forward", "backward weights"));
  // Of a value that others read too, gradients are first added up and then masked.
  EXPECT_THAT(phases_of(lowered, second),
              ElementsAre("forward", "backward", "backward", "backward data", "backward weights"));
  const Lowered unfused = lower_untuned(graph, device, {.batch = 2, .fuse = false});
  EXPECT_THAT(phases_of(unfused, activated), ElementsAre("forward", "backward"));
}

TEST(Lowering, FrozenLayersHaveNoWeightGradientAndNothingBelowTheLastTrainableOneIsUndone) {
  const kernels::Device device(2);
  Graph graph;
  const Value first = conv(input(graph, {3, 8, 8}), {.out = 4, .kernel = 3, .name = "first"});
  const Value pooled = max_pool(relu(first), {.kernel = 2, .stride = 2});
  const Value second = conv(pooled, {.out = 4, .kernel = 3, .name = "second"});
  const Value third = conv(relu(second), {.out = 4, .name = "third"});
  const Value last = dense(third, {.out = 4, .name = "last"});
  softmax_cross_entropy(last);
  const Lowered lowered = lower_untuned(
      graph, device, {.batch = 2, .frozen = {"first.weight", "first.bias", "third.weight", "third.bias", "last.bias"}});
  EXPECT_THAT(phases_of(lowered, first), ElementsAre("forward"));
  EXPECT_THAT(phases_of(lowered, pooled), ElementsAre("forward"));
  EXPECT_THAT(phases_of(lowered, second), ElementsAre("forward", "backward", "backward weights"));
  EXPECT_THAT(phases_of(lowered, third), ElementsAre("forward", "backward data"));
  EXPECT_THAT(phases_of(lowered, last), ElementsAre("forward", "backward data", "backward weights"));
  EXPECT_EQ(lowered.choices.at("first").backward_weights, "");
  EXPECT_EQ(lowered.choices.at("third").backward_weights, "");
  EXPECT_NE(lowered.choices.at("third").backward_data, "");
}

// So that ranks can divide the outputs between them.
TEST(Lowering, WeightsOfAnOutputAreTogetherIfAskedFor) {
  const kernels::Device device(1);
  Graph graph;
  const Value image = conv(input(graph, {3, 8, 8}), {.out = 32, .kernel = 3, .name = "conv"});
  const Value first = relu(dense(flatten(image), {.out = 256, .name = "of image"}));
  softmax_cross_entropy(dense(first, {.out = 128, .name = "of rows"}));
  for (const DataType type : {DataType::fp32, DataType::bf16}) {
    const Lowered lowered =
        lower_untuned(graph, device, {.batch = 8, .type = type, .by_rows = {"of image", "of rows"}});
    const auto layout = [&](const char* name) {
      return lowered.parameters.entries[static_cast<std::size_t>(lowered.parameters.find(name))].layout;
    };
    EXPECT_EQ(layout("of image.weight"), kernels::Layout::blocked({256, 32, 6, 6})) << name_of(type);
    EXPECT_EQ(layout("of rows.weight"), kernels::Layout::plain({128, 256})) << name_of(type);
  }
}

TEST(Lowering, WithEverythingFrozenThereIsNoBackward) {
  const kernels::Device device(2);
  Graph graph;
  softmax_cross_entropy(dense(conv(input(graph, {3, 8, 8}), {.out = 4, .name = "a"}), {.out = 4, .name = "b"}));
  const Lowered lowered =
      lower_untuned(graph, device, {.batch = 2, .frozen = {"a.weight", "a.bias", "b.weight", "b.bias"}});
  EXPECT_EQ(lowered.program.forward_count, static_cast<int>(lowered.program.instructions.size()));
}

TEST(Lowering, WithoutTrainingThereIsNoBackwardAndNoDropout) {
  const kernels::Device device(2);
  Graph graph;
  const Value x = conv(input(graph, {3, 8, 8}), {.out = 4, .kernel = 3});
  const Value dropped = dropout(x);
  softmax_cross_entropy(dense(dropped, {.out = 4}));
  const Lowered lowered = lower_untuned(graph, device, {.batch = 2, .training = false});
  EXPECT_EQ(lowered.program.forward_count, static_cast<int>(lowered.program.instructions.size()));
  EXPECT_TRUE(phases_of(lowered, dropped).empty());
  for (const auto& [layer, choice] : lowered.choices) {
    EXPECT_EQ(choice.backward_data, "") << layer;
    EXPECT_EQ(choice.backward_weights, "") << layer;
  }
}

TEST(Lowering, FlattenBeforeADenseLayerCostsNothing) {
  const kernels::Device device(2);
  Graph graph;
  const Value flat = flatten(conv(input(graph, {3, 8, 8}), {.out = 4, .kernel = 3}));
  softmax_cross_entropy(dense(flat, {.out = 4}));
  EXPECT_TRUE(phases_of(lower_untuned(graph, device, {.batch = 2}), flat).empty());
}

}  // namespace
}  // namespace convoy
