#include "convoy/graph/graph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "convoy/base/error.h"
#include "convoy/graph/builder.h"

namespace convoy {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::ThrowsMessage;

TEST(Graph, KeepsLayersInTheOrderWritten) {
  Graph graph;
  Value x = input(graph, {3, 32, 32});
  x = relu(batch_norm(conv(x, {.out = 64, .kernel = 3, .pad = 1, .bias = false, .name = "conv1"})));
  softmax_cross_entropy(dense(flatten(x), {.out = 10}));
  std::vector<std::string> names;
  for (const Layer& layer : graph.layers()) {
    names.push_back(layer.name);
  }
  EXPECT_THAT(names,
              ElementsAre("input", "conv1", "batch_norm1", "relu1", "flatten1", "dense1", "softmax_cross_entropy1"));
  EXPECT_EQ(graph.layer(3).shape, Shape({64, 32, 32}));
  EXPECT_EQ(graph.output(), 6);
}

TEST(Graph, CountsUnnamedLayersAndStepsOverTakenNames) {
  Graph graph;
  Value x = input(graph, {3, 8, 8});
  x = relu(x, {.name = "relu2"});
  x = relu(x);
  EXPECT_EQ(graph.layer(x.id()).name, "relu3");
}

TEST(Graph, PrefersTheNameGivenToAdd) {
  Graph graph;
  graph.add(op::Input{{3, 8, 8}}, {});
  graph.add(op::Relu{.name = "inner"}, {0}, "outer");
  EXPECT_EQ(graph.layer(0).name, "input1");
  EXPECT_EQ(graph.layer(1).name, "outer");
}

TEST(Graph, KnowsWhoReadsANode) {
  Graph graph;
  const Value x = input(graph, {3, 8, 8});
  add(relu(x), x);
  EXPECT_THAT(graph.readers(), ElementsAre(ElementsAre(1, 2), ElementsAre(2), IsEmpty()));
}

TEST(Graph, RefusesATakenName) {
  Graph graph;
  const Value x = relu(input(graph, {3, 8, 8}), {.name = "a"});
  EXPECT_THAT([&] { relu(x, {.name = "a"}); }, ThrowsMessage<UserError>(HasSubstr("layer \"a\": the name is taken")));
  EXPECT_EQ(graph.size(), 2);
}

TEST(Graph, RefusesMissingAndSecondInputs) {
  Graph graph;
  EXPECT_THAT([&] { graph.add(op::Relu{}, {}); }, ThrowsMessage<UserError>(HasSubstr("starts with its input")));
  input(graph, {3, 8, 8});
  EXPECT_THAT([&] { input(graph, {3, 8, 8}, "again"); }, ThrowsMessage<UserError>(HasSubstr("\"again\"")));
}

TEST(Graph, RefusesReadingLayersThatAreNotThere) {
  Graph graph;
  input(graph, {3, 8, 8});
  EXPECT_THAT([&] { graph.add(op::Relu{}, {1}, "r"); }, ThrowsMessage<UserError>(HasSubstr("\"r\": reads layer 1")));
  EXPECT_THAT([&] { graph.add(op::Relu{}, {-1}, "r"); }, ThrowsMessage<UserError>(HasSubstr("layer -1")));
}

TEST(Graph, RefusesReadingALoss) {
  Graph graph;
  const Value loss = softmax_cross_entropy(input(graph, {10}), {.name = "loss"});
  EXPECT_THAT([&] { relu(loss); }, ThrowsMessage<UserError>(HasSubstr("reads the loss \"loss\"")));
}

TEST(Graph, NothingFollowsALoss) {
  Graph graph;
  const Value x = input(graph, {10});
  softmax_cross_entropy(x, {.name = "loss"});
  EXPECT_THAT([&] { mean_squared_error(x, {.name = "second"}); },
              ThrowsMessage<UserError>(AllOf(HasSubstr("\"second\""), HasSubstr("the loss \"loss\" ends the graph"))));
  EXPECT_EQ(graph.size(), 2);
}

TEST(Graph, ANodeThatIsNotThereIsNamed) {
  Graph graph;
  EXPECT_THAT([&] { (void)graph.layer(graph.output()); }, ThrowsMessage<UserError>(HasSubstr("no layer -1")));
  input(graph, {10});
  EXPECT_THAT([&] { (void)graph.layer(1); }, ThrowsMessage<UserError>(HasSubstr("no layer 1")));
}

TEST(Graph, ValuesOfTwoGraphsAreNotMixed) {
  Graph one;
  Graph two;
  const Value a = input(one, {3, 8, 8}, "a");
  const Value b = input(two, {3, 4, 4}, "b");
  const auto names_both = ThrowsMessage<UserError>(AllOf(HasSubstr("\"a\" (3x8x8)"), HasSubstr("\"b\" (3x4x4)")));
  EXPECT_THAT([&] { add(a, b); }, names_both);
  EXPECT_THAT([&] { concat({a, a, b}); }, names_both);
  EXPECT_THAT([&] { concat({}); }, ThrowsMessage<UserError>(HasSubstr("at least one input")));
}

TEST(Graph, StaysAsItWasWhenANodeIsRefused) {
  Graph graph;
  const Value x = input(graph, {3, 2, 2});
  EXPECT_THROW(max_pool(x, {.kernel = 3}), UserError);
  EXPECT_EQ(graph.size(), 1);
}

TEST(Operators, KindsMatchTheirAlternatives) {
  EXPECT_STREQ(kind_of(op::Input{}), "input");
  EXPECT_STREQ(kind_of(op::Convolution{.out = 1}), "conv");
  EXPECT_STREQ(kind_of(op::AveragePool{.kernel = 1}), "average_pool");
  EXPECT_STREQ(kind_of(op::Lrn{}), "lrn");
  EXPECT_STREQ(kind_of(op::MeanSquaredError{}), "mean_squared_error");
  EXPECT_TRUE(is_loss(op::MeanSquaredError{}));
  EXPECT_FALSE(is_loss(op::Flatten{}));
}

}  // namespace
}  // namespace convoy
