#include "convoy/graph/parameters.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "convoy/graph/builder.h"

namespace convoy {
namespace {

using testing::ElementsAre;

std::vector<std::string> described(const std::vector<Parameter>& parameters) {
  std::vector<std::string> lines;
  lines.reserve(parameters.size());
  for (const Parameter& parameter : parameters) {
    lines.push_back(parameter.name + " " + parameter.shape.to_string());
  }
  return lines;
}

TEST(Parameters, InLayerOrderWithPlainShapes) {
  Graph graph;
  Value x = input(graph, {6, 5, 4});
  x = conv(x, {.out = 12, .kernel = {3, 1}, .groups = 3, .name = "a"});
  x = batch_norm(conv(x, {.out = 8, .bias = false, .name = "b"}), {.name = "bn"});
  dense(x, {.out = 7, .name = "fc"});
  EXPECT_THAT(described(parameters_of(graph)), ElementsAre("a.weight 12x2x3x1", "a.bias 12", "b.weight 8x12x1x1",
                                                           "bn.weight 8", "bn.bias 8", "fc.weight 7x96", "fc.bias 7"));
}

TEST(Parameters, KnowTheirLayerAndRole) {
  Graph graph;
  const Value x = batch_norm(input(graph, {6, 5, 4}));
  const Value y = dense(x, {.out = 2, .bias = false});
  const std::vector<Parameter> norm = parameters_of(graph, x.id());
  ASSERT_EQ(norm.size(), 2U);
  EXPECT_EQ(norm[0].role, ParameterRole::scale);
  EXPECT_EQ(norm[1].role, ParameterRole::shift);
  const std::vector<Parameter> rows = parameters_of(graph, y.id());
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].role, ParameterRole::weight);
  EXPECT_EQ(rows[0].layer, y.id());
  EXPECT_TRUE(parameters_of(graph, 0).empty());
}

}  // namespace
}  // namespace convoy
