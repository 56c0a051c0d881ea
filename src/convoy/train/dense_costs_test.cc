#include "convoy/train/dense_costs.h"

#include <gtest/gtest.h>

namespace convoy {
namespace {

TEST(DenseCosts, TheRateIsThatOfTheLongestMessage) {
  const AllReduceTable table{
      .topology = "",
      .shared = {{.bytes = 1000, .times = {{Algorithm::ring, 1}}},
                 {.bytes = 4'000'000, .times = {{Algorithm::ring, 0.06}, {Algorithm::mpi, 0.05}}}},
      .elsewhere = {}};
  // A ring of four sends 2 * 3/4 of the bytes.
  EXPECT_DOUBLE_EQ(wire_rate(table, 4), 1.5 * 4e6 / 0.05);
  EXPECT_DOUBLE_EQ(wire_rate(std::nullopt, 4), 1.25e9);
}

TEST(DenseCosts, FewerBytesPayUnlessTheProductTakesLonger) {
  const DenseCosts costs{.factor_bytes = 1e6, .gradient_bytes = 80e6, .product_seconds = 0.1};
  EXPECT_TRUE(factors_pay(costs, 1e8, 4)) << "0.01 + 0.1 s against 0.8 + 0.025 s";
  EXPECT_FALSE(factors_pay(costs, 2e9, 4)) << "0.0005 + 0.1 s against 0.04 + 0.025 s";
  const DenseCosts coded{.factor_bytes = 1e6, .gradient_bytes = 2e6, .product_seconds = 0.1, .is_coded = true};
  EXPECT_TRUE(factors_pay(coded, 1e8, 4)) << "encoding takes time too";
  EXPECT_FALSE(factors_pay({.factor_bytes = 5, .gradient_bytes = 5, .product_seconds = 0}, 1, 4));
}

}  // namespace
}  // namespace convoy
