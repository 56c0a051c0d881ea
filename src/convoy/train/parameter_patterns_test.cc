#include "convoy/train/parameter_patterns.h"

#include "convoy/base/error.h"
#include "convoy/base/throws_with_test.h"
#include "convoy/train/small_training_test.h"

namespace convoy {
namespace {

using Names = std::set<std::string>;

// conv.weight, batch_norm.weight, batch_norm.bias, dense.weight, dense.bias
const Graph& graph() {
  static const Graph graph = small_graph();
  return graph;
}

TEST(ParameterPatterns, MatchWholeNames) {
  EXPECT_EQ(matching_parameters(graph(), "conv.weight"), (Names{"conv.weight"}));
  EXPECT_EQ(matching_parameters(graph(), "*.bias"), (Names{"batch_norm.bias", "dense.bias"}));
  EXPECT_EQ(matching_parameters(graph(), "dense.????"), (Names{"dense.bias"}));
}

TEST(ParameterPatterns, AreJoinedByCommas) {
  EXPECT_EQ(matching_parameters(graph(), "conv*,dense.bias,conv.weight"), (Names{"conv.weight", "dense.bias"}));
}

TEST(ParameterPatterns, ThatMatchNothingAreRefused) {
  EXPECT_TRUE(throws_with<UserError>([] { (void)matching_parameters(graph(), "conv*,layer9.*"); }, "'layer9.*'"));
  EXPECT_TRUE(throws_with<UserError>([] { (void)matching_parameters(graph(), "conv"); }, "like 'conv.weight'"));
}

TEST(ParameterPatterns, MustLeaveSomethingToTrain) {
  EXPECT_TRUE(throws_with<UserError>([] { (void)matching_parameters(graph(), "*"); }, "leaves nothing to train"));
}

}  // namespace
}  // namespace convoy
