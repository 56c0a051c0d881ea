#include "convoy/train/parameter_patterns.h"

#include "convoy/base/error.h"
#include "convoy/base/throws_with_test.h"
#include "convoy/train/small_training_test.h"

namespace convoy {
namespace {

using Names = std::set<std::string>;

// conv1.weight, batch_norm1.weight, batch_norm1.bias, dense1.weight, dense1.bias
const Graph& graph() {
  static const Graph graph = small_graph();
  return graph;
}

TEST(ParameterPatterns, MatchWholeNames) {
  EXPECT_EQ(matching_parameters(graph(), "conv1.weight"), (Names{"conv1.weight"}));
  EXPECT_EQ(matching_parameters(graph(), "*.bias"), (Names{"batch_norm1.bias", "dense1.bias"}));
  EXPECT_EQ(matching_parameters(graph(), "dense1.????"), (Names{"dense1.bias"}));
}

TEST(ParameterPatterns, AreJoinedByCommas) {
  EXPECT_EQ(matching_parameters(graph(), "conv*,dense1.bias,conv1.weight"), (Names{"conv1.weight", "dense1.bias"}));
}

TEST(ParameterPatterns, ThatMatchNothingAreRefused) {
  EXPECT_TRUE(throws_with<UserError>([] { (void)matching_parameters(graph(), "conv*,layer9.*"); }, "'layer9.*'"));
  EXPECT_TRUE(throws_with<UserError>([] { (void)matching_parameters(graph(), "conv"); }, "like 'conv1.weight'"));
}

TEST(ParameterPatterns, MustLeaveSomethingToTrain) {
  EXPECT_TRUE(throws_with<UserError>([] { (void)matching_parameters(graph(), "*"); }, "leaves nothing to train"));
}

}  // namespace
}  // namespace convoy
