#include "convoy/comm/sums.h"

#include <gtest/gtest.h>

#include <array>

namespace convoy {
namespace {

// More than two blocks, and a remainder.
constexpr std::size_t kCount = 2 * 1024 + 5;

std::vector<std::vector<float>> numbered_parts(std::size_t parts) {
  std::vector<std::vector<float>> numbers(parts, std::vector<float>(kCount));
  for (std::size_t part = 0; part < parts; ++part) {
    for (std::size_t i = 0; i < kCount; ++i) {
      numbers[part][i] = static_cast<float>(i * (part + 1));
    }
  }
  return numbers;
}

TEST(Sums, AreWrittenToEveryPart) {
  for (const std::size_t count : {2U, 3U, 6U}) {
    std::vector<std::vector<float>> numbers = numbered_parts(count);
    const std::vector<std::span<float>> parts(numbers.begin(), numbers.end());
    sum_parts(parts, parts);
    for (const std::vector<float>& part : numbers) {
      for (std::size_t i = 0; i < kCount; ++i) {
        const auto sum = i * count * (count + 1) / 2;
        ASSERT_EQ(part[i], static_cast<float>(sum)) << i;
      }
    }
  }
}

TEST(Sums, CanBeWrittenToOnePartOnly) {
  std::vector<std::vector<float>> numbers = numbered_parts(2);
  const std::vector<std::span<float>> parts(numbers.begin(), numbers.end());
  sum_parts(parts, std::span(parts).first(1));
  EXPECT_EQ(numbers[0].back(), 3.0F * (kCount - 1));
  EXPECT_EQ(numbers[1].back(), 2.0F * (kCount - 1));
}

// In single precision 2^24 + 1 is 2^24, but 2^24 + 2 is exact, so the order of additions shows.
TEST(Sums, AddInTheOrderOfParts) {
  std::array<float, 1> large = {16777216.0F};
  std::array<float, 1> small = {1.0F};
  std::array<float, 1> another = {1.0F};
  std::array<float, 1> result{};
  const std::array<std::span<float>, 1> results = {result};
  sum_parts(std::array<std::span<float>, 3>{large, small, another}, results);
  EXPECT_EQ(result[0], 16777216.0F);
  sum_parts(std::array<std::span<float>, 3>{small, another, large}, results);
  EXPECT_EQ(result[0], 16777218.0F);
}

}  // namespace
}  // namespace convoy
