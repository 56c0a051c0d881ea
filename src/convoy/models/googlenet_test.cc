#include "convoy/models/googlenet.h"

#include <gtest/gtest.h>

#include "convoy/graph/analysis.h"
#include "convoy/models/zoo.h"

namespace convoy {
namespace {

TEST(InceptionModules, NaiveCosts) {
  const Graph graph = build_model("inception-naive");
  EXPECT_EQ(graph.layers().back().shape, Shape({672, 32, 32}));
  EXPECT_EQ(analyse(graph).multiply_adds, 1'115'684'864);
}

TEST(InceptionModules, ReducedCostsAThird) {
  const Graph graph = build_model("inception-reduced");
  EXPECT_EQ(graph.layers().back().shape, Shape({480, 32, 32}));
  EXPECT_EQ(analyse(graph).multiply_adds, 354'418'688);
}

TEST(InceptionModules, TakeFilterCounts) {
  const Graph graph = build_model("inception-naive", {.filters = inception_filters("1x1=1,3x3=2,5x5=3")});
  EXPECT_EQ(graph.layers().back().shape, Shape({1 + 2 + 3 + 256, 32, 32}));
}

TEST(InceptionModules, SeeAsFarAsTheWidestBranch) {
  EXPECT_EQ(analyse(build_model("inception-reduced")).layers.back().receptive_height, 5);
}

}  // namespace
}  // namespace convoy
