#include "convoy/train/dense_costs.h"

#include <gtest/gtest.h>

namespace convoy {
namespace {

TEST(DenseCosts, CodingIsPartOfThePriceOfGradients) {
  DenseCosts costs{.factor_bytes = 4e6, .gradient_bytes = 2e6, .product_seconds = 0.01};
  EXPECT_FALSE(factors_pay(costs, 1e8, 4)) << "0.04 + 0.01 s against 0.02 + 0.0025 s";
  costs.coding_seconds = 0.05;
  EXPECT_TRUE(factors_pay(costs, 1e8, 4)) << "0.04 + 0.01 s against 0.02 + 0.0025 + 0.05 s";
  EXPECT_FALSE(factors_pay(costs, 1e7, 4)) << "0.4 + 0.01 s against 0.2 + 0.0025 + 0.05 s";
}

TEST(DenseCosts, FewerBytesPayUnlessTheProductTakesLonger) {
  const DenseCosts costs{.factor_bytes = 1e6, .gradient_bytes = 80e6, .product_seconds = 0.1};
  EXPECT_TRUE(factors_pay(costs, 1e8, 4)) << "0.01 + 0.1 s against 0.8 + 0.025 s";
  EXPECT_FALSE(factors_pay(costs, 2e9, 4)) << "0.0005 + 0.1 s against 0.04 + 0.025 s";
  EXPECT_FALSE(factors_pay({.factor_bytes = 5, .gradient_bytes = 5, .product_seconds = 0}, 1, 4));
}

}  // namespace
}  // namespace convoy
