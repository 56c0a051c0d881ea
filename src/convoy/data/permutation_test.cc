#include "convoy/data/permutation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "convoy/base/error.h"

namespace convoy::data {
namespace {

std::vector<std::int64_t> order(std::int64_t size, std::uint64_t seed, std::uint64_t epoch) {
  const Permutation permutation(size, seed, epoch);
  std::vector<std::int64_t> result(static_cast<std::size_t>(size));
  for (std::int64_t i = 0; i < size; ++i) result[static_cast<std::size_t>(i)] = permutation(i);
  return result;
}

// Pearson's statistic for the hypothesis of equal counts.
double chi_squared(const std::vector<std::int64_t>& counts) {
  const auto total = static_cast<double>(std::accumulate(counts.begin(), counts.end(), std::int64_t{0}));
  const double expected = total / static_cast<double>(counts.size());
  double sum = 0;
  for (const std::int64_t count : counts) sum += std::pow(static_cast<double>(count) - expected, 2) / expected;
  return sum;
}

// The mean plus six deviations of the chi-squared distribution: a fair order exceeds it for one in millions of seeds,
// and the seeds here are fixed.
double chi_squared_limit(std::size_t cells) {
  const auto freedom = static_cast<double>(cells - 1);
  return freedom + 6 * std::sqrt(2 * freedom);
}

TEST(Permutation, EverySampleComesExactlyOnce) {
  for (const std::int64_t size : {1,   2,   3,    4,    5,    7,    15,   16,   17,    63,    64,    97,   255,
                                  256, 257, 1009, 1024, 4095, 4096, 4097, 7919, 50000, 60000, 65536, 65537}) {
    std::vector<std::int64_t> sorted = order(size, 42, 3);
    std::sort(sorted.begin(), sorted.end());
    std::vector<std::int64_t> expected(static_cast<std::size_t>(size));
    std::iota(expected.begin(), expected.end(), 0);
    EXPECT_EQ(sorted, expected) << "size " << size;
  }
}

TEST(Permutation, StaysInsideHugeSizesWithoutRepeating) {
  const std::int64_t size = (std::int64_t{1} << 40) + 12345;
  const Permutation permutation(size, 1, 1);
  std::vector<std::int64_t> seen;
  for (std::int64_t i = 0; i < 1000; ++i) {
    seen.push_back(permutation(size - 1 - i));
    ASSERT_GE(seen.back(), 0);
    ASSERT_LT(seen.back(), size);
  }
  std::sort(seen.begin(), seen.end());
  EXPECT_EQ(std::adjacent_find(seen.begin(), seen.end()), seen.end());
}

TEST(Permutation, SameKeySameOrder) { EXPECT_EQ(order(1000, 7, 2), order(1000, 7, 2)); }

// Two independent orders agree in one place on average, in four or more for about 2 % of pairs, and in twenty never.
TEST(Permutation, SeedsAndEpochsDiffer) {
  const auto first = order(5000, 7, 2);
  for (const auto& other : {order(5000, 7, 3), order(5000, 8, 2), order(5000, 2, 7), order(5000, 7, 0)}) {
    int agree = 0;
    for (std::size_t i = 0; i < first.size(); ++i) agree += first[i] == other[i] ? 1 : 0;
    EXPECT_LT(agree, 20);
  }
}

TEST(Permutation, EachPlaceIsEquallyLikely) {
  for (const std::int64_t size : {2, 3, 5, 16, 40}) {
    const auto n = static_cast<std::size_t>(size);
    std::vector<std::int64_t> counts(n * n);
    for (std::uint64_t epoch = 0; epoch < 4000; ++epoch) {
      const auto numbers = order(size, 11, epoch);
      for (std::size_t i = 0; i < n; ++i) ++counts[i * n + static_cast<std::size_t>(numbers[i])];
    }
    EXPECT_LT(chi_squared(counts), chi_squared_limit(counts.size())) << "size " << size;
  }
}

// Not only single places must be fair, but all six orders of three and all 24 of four.
TEST(Permutation, EachOrderIsEquallyLikely) {
  for (const std::int64_t size : {3, 4}) {
    std::vector<std::int64_t> numbers(static_cast<std::size_t>(size));
    std::iota(numbers.begin(), numbers.end(), 0);
    std::vector<std::vector<std::int64_t>> orders;
    do orders.push_back(numbers);
    while (std::next_permutation(numbers.begin(), numbers.end()));
    std::vector<std::int64_t> counts(orders.size());
    for (std::uint64_t epoch = 0; epoch < 12000; ++epoch) {
      const auto found = std::find(orders.begin(), orders.end(), order(size, 5, epoch));
      ++counts[static_cast<std::size_t>(found - orders.begin())];
    }
    EXPECT_LT(chi_squared(counts), chi_squared_limit(counts.size())) << "size " << size;
  }
}

// Neighbours in a list that is sorted by class must not stay together: the distance of numbers that follow each other
// must be like that of two independent draws, size / 3 on average.
TEST(Permutation, NeighboursAreTornApart) {
  const auto numbers = order(50000, 1, 0);
  double sum = 0;
  for (std::size_t i = 1; i < numbers.size(); ++i) sum += static_cast<double>(std::abs(numbers[i] - numbers[i - 1]));
  EXPECT_NEAR(sum / 49999, 50000.0 / 3, 300);
}

TEST(Permutation, RefusesWhatIsOutside) {
  EXPECT_THROW(Permutation(0, 1, 1), InternalError);
  const Permutation permutation(10, 1, 1);
  EXPECT_THROW((void)permutation(10), InternalError);
  EXPECT_THROW((void)permutation(-1), InternalError);
}

}  // namespace
}  // namespace convoy::data
