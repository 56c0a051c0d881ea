#include "convoy/train/dense_costs.h"

#include <gtest/gtest.h>

namespace convoy {
namespace {

TEST(DenseCosts, CodingIsPartOfThePriceOfGradients) {
  DenseCosts costs{.gradient_bytes = 2e6, .factor_bytes = 4e6, .product_seconds = 0.01};
  EXPECT_EQ(fastest_way(costs, 1e8, 4), DenseWay::gradients) << "0.04 + 0.01 s against 0.02 + 0.0025 s";
  costs.coding_seconds = 0.05;
  EXPECT_EQ(fastest_way(costs, 1e8, 4), DenseWay::factors) << "0.04 + 0.01 s against 0.02 + 0.0025 + 0.05 s";
  EXPECT_EQ(fastest_way(costs, 1e7, 4), DenseWay::gradients) << "0.4 + 0.01 s against 0.2 + 0.0025 + 0.05 s";
}

TEST(DenseCosts, FewerBytesPayUnlessTheProductTakesLonger) {
  const DenseCosts costs{.gradient_bytes = 80e6, .factor_bytes = 1e6, .product_seconds = 0.1};
  EXPECT_EQ(fastest_way(costs, 1e8, 4), DenseWay::factors) << "0.01 + 0.1 s against 0.8 + 0.025 s";
  EXPECT_EQ(fastest_way(costs, 2e9, 4), DenseWay::gradients) << "0.0005 + 0.1 s against 0.04 + 0.025 s";
  EXPECT_EQ(fastest_way({.gradient_bytes = 5, .factor_bytes = 5}, 1, 4), DenseWay::gradients) << "no difference";
}

// Factors: 0.02 + 0.02 s for the product, and 0.03 s for the passes and the update that every rank does.
TEST(DenseCosts, DividedLayersSaveWhatRanksDoSeveralTimes) {
  DenseCosts costs{.gradient_bytes = 80e6,
                   .factor_bytes = 2e6,
                   .activation_bytes = 4e6,
                   .passes_seconds = 0.01,
                   .product_seconds = 0.02,
                   .update_seconds = 0.02,
                   .divided_seconds = 0.004,
                   .can_divide = true};
  EXPECT_DOUBLE_EQ(seconds_by(DenseWay::factors, costs, 1e8, 8), 0.07);
  EXPECT_DOUBLE_EQ(seconds_by(DenseWay::activations, costs, 1e8, 8), 0.04 + 0.004 + 0.0025);
  EXPECT_EQ(fastest_way(costs, 1e8, 8), DenseWay::activations);
  EXPECT_EQ(fastest_way(costs, 2e7, 8), DenseWay::factors) << "0.2 + 0.0065 s against 0.1 + 0.05 s";
  costs.can_divide = false;
  EXPECT_EQ(fastest_way(costs, 1e8, 8), DenseWay::factors);
}

}  // namespace
}  // namespace convoy
