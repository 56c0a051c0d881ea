#include "convoy/sync/codec/low_rank.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "convoy/base/rng.h"

namespace convoy {
namespace {

std::vector<float> random_floats(std::size_t count, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<float> values(count);
  for (float& value : values) value = rng.normal();
  return values;
}

TEST(LowRank, ProductsAreThoseOfMatrices) {
  constexpr std::size_t kRows = 19, kColumns = 37, kRank = 3;
  std::vector<float> values = random_floats(kRows * kColumns, 1);
  const MatrixView matrix{.values = values, .rows = kRows, .columns = kColumns};
  const std::vector<float> right = random_floats(kColumns * kRank, 2);
  std::vector<float> left(kRows * kRank);
  multiply(matrix, right, left, kRank);
  std::vector<float> back(kColumns * kRank);
  multiply_transposed(matrix, left, back, kRank);
  for (std::size_t k = 0; k < kRank; ++k) {
    for (std::size_t r = 0; r < kRows; ++r) {
      double sum = 0;
      for (std::size_t c = 0; c < kColumns; ++c) sum += double{values[r * kColumns + c]} * right[k * kColumns + c];
      EXPECT_NEAR(left[k * kRows + r], sum, 1e-4);
    }
    for (std::size_t c = 0; c < kColumns; ++c) {
      double sum = 0;
      for (std::size_t r = 0; r < kRows; ++r) sum += double{values[r * kColumns + c]} * left[k * kRows + r];
      EXPECT_NEAR(back[k * kColumns + c], sum, 1e-3);
    }
  }
  std::vector<float> row(kColumns);
  product_row(left, right, kRank, kRows, 5, row);
  for (std::size_t c = 0; c < kColumns; ++c) {
    double sum = 0;
    for (std::size_t k = 0; k < kRank; ++k) sum += double{left[k * kRows + 5]} * right[k * kColumns + c];
    EXPECT_NEAR(row[c], sum, 1e-4);
  }
}

TEST(LowRank, ColumnsBecomeOrthonormalAndDependentOnesZero) {
  constexpr std::size_t kLength = 23, kRank = 4;
  std::vector<float> columns = random_floats(kLength * kRank, 3);
  // The third column is a combination of the first two.
  for (std::size_t i = 0; i < kLength; ++i) columns[2 * kLength + i] = 2 * columns[i] - columns[kLength + i];
  orthonormalise(columns, kLength, kRank);
  for (std::size_t a = 0; a < kRank; ++a) {
    for (std::size_t b = 0; b < kRank; ++b) {
      double dot = 0;
      for (std::size_t i = 0; i < kLength; ++i) dot += double{columns[a * kLength + i]} * columns[b * kLength + i];
      EXPECT_NEAR(dot, a == b && a != 2 ? 1 : 0, 1e-6) << a << ", " << b;
    }
  }
}

}  // namespace
}  // namespace convoy
