#include "convoy/sync/codec/low_rank.h"

#include <gtest/gtest.h>

#include <algorithm>
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

constexpr std::uint32_t kRows = 19, kColumns = 37;
constexpr std::size_t kFactorColumns = 3;

struct Layout {
  const char* name;
  std::vector<std::uint32_t> rows, columns;
};

// Row by row, column by column, in blocks of eight rows of which the last is not full, and with columns out of order.
std::vector<Layout> layouts() {
  std::vector<Layout> all = {{"by rows", {}, {}}, {"by columns", {}, {}}, {"blocked", {}, {}}, {"scattered", {}, {}}};
  for (std::uint32_t r = 0; r < kRows; ++r) {
    all[0].rows.push_back(r * kColumns);
    all[1].rows.push_back(r);
    all[2].rows.push_back(r / 8 * 8 * kColumns + r % 8);
    all[3].rows.push_back(r * kColumns);
  }
  for (std::uint32_t c = 0; c < kColumns; ++c) {
    all[0].columns.push_back(c);
    all[1].columns.push_back(c * kRows);
    all[2].columns.push_back(c * 8);
    all[3].columns.push_back(c * 8 % kColumns);
  }
  return all;
}

TEST(LowRank, ProductsAreThoseOfMatrices) {
  for (const auto& [name, rows, columns] : layouts()) {
    SCOPED_TRACE(name);
    const StoredMatrix matrix(rows, columns);
    const std::vector<float> values = random_floats(24 * kColumns, 1);
    const auto element = [&, &r_at = rows, &c_at = columns](const std::vector<float>& of, std::size_t r,
                                                            std::size_t c) { return double{of[r_at[r] + c_at[c]]}; };
    const std::vector<float> right = random_floats(kColumns * kFactorColumns, 2);
    std::vector<float> left(kRows * kFactorColumns);
    matrix.multiply(values.data(), right, left, kFactorColumns);
    std::vector<float> back(kColumns * kFactorColumns, 7);
    matrix.multiply_transposed(values.data(), left, back, kFactorColumns);
    for (std::size_t k = 0; k < kFactorColumns; ++k) {
      for (std::size_t r = 0; r < kRows; ++r) {
        double sum = 0;
        for (std::size_t c = 0; c < kColumns; ++c) sum += element(values, r, c) * right[k * kColumns + c];
        ASSERT_NEAR(left[k * kRows + r], sum, 1e-4);
      }
      for (std::size_t c = 0; c < kColumns; ++c) {
        double sum = 0;
        for (std::size_t r = 0; r < kRows; ++r) sum += element(values, r, c) * left[k * kRows + r];
        ASSERT_NEAR(back[k * kColumns + c], sum, 1e-3);
      }
    }
    std::vector<float> product(values.size(), 9), rest(values.size(), 9);
    matrix.set_product(left, right, kFactorColumns, product.data());
    matrix.set_rest(values.data(), left, right, kFactorColumns, rest.data());
    for (std::size_t r = 0; r < kRows; ++r) {
      for (std::size_t c = 0; c < kColumns; ++c) {
        double sum = 0;
        for (std::size_t k = 0; k < kFactorColumns; ++k) sum += double{left[k * kRows + r]} * right[k * kColumns + c];
        ASSERT_NEAR(element(product, r, c), sum, 1e-4);
        ASSERT_NEAR(element(rest, r, c), element(values, r, c) - sum, 1e-4);
      }
    }
    // What lies between the elements is left alone.
    const auto touched = std::ranges::count_if(product, [](float value) { return value != 9; });
    EXPECT_LE(touched, kRows * kColumns);
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
