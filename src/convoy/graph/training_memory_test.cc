#include "convoy/graph/training_memory.h"

#include <gtest/gtest.h>

#include "convoy/base/error.h"
#include "convoy/graph/builder.h"

namespace convoy {
namespace {

// Input 3x8x8 = 192, convolution and its in-place ReLU 4x8x8 = 256, pool 4x4x4 = 64, dense 10; 112 + 650 parameters.
Graph small_network() {
  Graph graph;
  Value x = relu(conv(input(graph, {3, 8, 8}), {.out = 4, .kernel = 3, .pad = 1}));
  x = max_pool(x, {.kernel = 2, .stride = 2});
  softmax_cross_entropy(dense(flatten(x), {.out = 10}));
  return graph;
}

TEST(TrainingMemory, CountsEachPart) {
  const TrainingMemory memory = training_memory(small_network(), 1);
  // Kept are the samples, the ReLU's output, the pooling's output (for the dense layer) with one byte per element, and
  // the logits.
  EXPECT_EQ(memory.activation_bytes, 4 * (192 + 256 + 64 + 10) + 64);
  // The two largest gradients that are alive at once: the convolution's and the pooling's.
  EXPECT_EQ(memory.activation_gradient_bytes, 4 * (256 + 64));
  EXPECT_EQ(memory.parameter_bytes, 4 * (112 + 650));
  EXPECT_EQ(memory.gradient_bytes, memory.parameter_bytes);
  EXPECT_EQ(memory.optimizer_bytes, memory.parameter_bytes);
  EXPECT_EQ(memory.total_bytes(), memory.activation_bytes + 4 * 320 + 3 * memory.parameter_bytes);
}

TEST(TrainingMemory, IsKeptByLayer) {
  // Input, convolution (its ReLU works in place), pooling with one byte per element, dense layer; the loss reads the
  // logits.
  EXPECT_EQ(kept_bytes(small_network()), (std::vector<std::int64_t>{4 * 192, 4 * 256, 0, 5 * 64, 0, 4 * 10, 0}));
}

TEST(TrainingMemory, GrowsWithTheBatchWhereItShould) {
  const TrainingMemory one = training_memory(small_network(), 1);
  const TrainingMemory many = training_memory(small_network(), 32);
  EXPECT_EQ(many.activation_bytes, 32 * one.activation_bytes);
  EXPECT_EQ(many.activation_gradient_bytes, 32 * one.activation_gradient_bytes);
  EXPECT_EQ(many.parameter_bytes, one.parameter_bytes);
}

TEST(TrainingMemory, ReluIsNotInPlaceWhenItsInputIsReadElsewhere) {
  Graph graph;
  const Value x = conv(input(graph, {1, 4, 4}), {.out = 1, .bias = false});
  dense(add(relu(x), x), {.out = 1, .bias = false});
  // The samples, the ReLU's own output, and the sum; no backward pass reads the convolution's output.
  EXPECT_EQ(training_memory(graph, 1).activation_bytes, 4 * (16 + 16 + 16));
}

TEST(TrainingMemory, KeepsTheShortcutsGradientAlive) {
  Graph graph;
  const Value x = conv(input(graph, {1, 4, 4}), {.out = 1, .name = "first"});
  const Value y = conv(conv(x, {.out = 1}), {.out = 1});
  dense(add(x, y), {.out = 1});
  // While backward goes through the branch, the sum's gradient is kept for `x`: three images at once.
  EXPECT_EQ(training_memory(graph, 1).activation_gradient_bytes, 4 * 3 * 16);
}

TEST(TrainingMemory, ConcatenationIsItsInputsSideBySide) {
  Graph graph;
  const Value x = input(graph, {1, 4, 4});
  const Value both = concat({relu(conv(x, {.out = 2})), average_pool(x, {.kernel = 1})});
  dense(both, {.out = 1});
  const TrainingMemory memory = training_memory(graph, 1);
  // The samples, the ReLU's two channels and the pooling's one, each counted once; the gradient of the dense layer is
  // alive at the same time as theirs.
  EXPECT_EQ(memory.activation_bytes, 4 * (16 + 32 + 16));
  EXPECT_EQ(memory.activation_gradient_bytes, 4 * (32 + 16));
}

TEST(TrainingMemory, RefusesEmptyAndAbsurdBatches) {
  EXPECT_THROW((void)training_memory(small_network(), 0), UserError);
  EXPECT_THROW((void)training_memory(small_network(), -4), UserError);
  EXPECT_THROW((void)training_memory(small_network(), 1'000'001), UserError);
}

}  // namespace
}  // namespace convoy
