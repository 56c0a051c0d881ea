#include "convoy/train/dense_exchange_options.h"

#include <gtest/gtest.h>

#include "convoy/graph/builder.h"

namespace convoy {
namespace {

using Decisions = std::vector<std::pair<std::string, DenseWay>>;

TEST(DenseExchangeOptions, SaysWhatEachLayerExchanges) {
  EXPECT_EQ(way_told({.how = "auto"}, "fc6"), std::nullopt);
  for (const DenseWay way : kDenseWays) EXPECT_EQ(way_told({.how = name_of(way)}, "fc6"), way);
  const DenseExchangeOptions some{.how = "fc8,fc7=activations,fc5=gradients"};
  EXPECT_EQ(way_told(some, "fc8"), DenseWay::factors);
  EXPECT_EQ(way_told(some, "fc7"), DenseWay::activations);
  EXPECT_EQ(way_told(some, "fc6"), DenseWay::gradients);
  EXPECT_EQ(way_told(some, "fc5"), DenseWay::gradients);
}

TEST(DenseExchangeOptions, ADecisionIsReadAsItWasWritten) {
  const Decisions decided = {{"fc8", DenseWay::factors}, {"fc7", DenseWay::activations}, {"fc6", DenseWay::gradients}};
  EXPECT_EQ(to_text(decided), "fc8,fc7=activations");
  for (const auto& [layer, way] : decided) EXPECT_EQ(way_told({.how = to_text(decided)}, layer), way) << layer;
  EXPECT_EQ(to_text({{"fc6", DenseWay::gradients}}), "gradients");
}

TEST(DenseExchangeOptions, DividesLargeLayersOrThoseThatAreNamed) {
  Graph graph;
  Value x = dense(input(graph, {1024}), {.out = 1024, .name = "large"});
  softmax_cross_entropy(dense(x, {.out = 10, .name = "small"}));
  using Names = std::set<std::string>;
  EXPECT_EQ(layers_to_divide({.how = "auto"}, graph, 2), Names{"large"});
  EXPECT_EQ(layers_to_divide({.how = "auto", .may_divide = false}, graph, 2), Names{});
  EXPECT_EQ(layers_to_divide({.how = "auto"}, graph, 1), Names{}) << "one node shares its memory";
  EXPECT_EQ(layers_to_divide({.how = "factors"}, graph, 2), Names{});
  EXPECT_EQ(layers_to_divide({.how = "activations"}, graph, 2), (Names{"large", "small"}));
  EXPECT_EQ(layers_to_divide({.how = "large,small=activations"}, graph, 2), Names{"small"});
}

}  // namespace
}  // namespace convoy
