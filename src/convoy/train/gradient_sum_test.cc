#include "convoy/train/gradient_sum.h"

#include <gtest/gtest.h>

#include <vector>

#include "convoy/base/error.h"
#include "convoy/base/rng.h"

namespace convoy {
namespace {

std::vector<float> random_floats(std::size_t count, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<float> values(count);
  for (float& value : values) value = static_cast<float>(rng.below(1000003)) / 7 - 70000;
  return values;
}

// Lengths around those of vectors, and one that several threads share.
TEST(GradientSum, IsTheSumOfEachElement) {
  for (const std::size_t count : {0U, 1U, 7U, 8U, 31U, 33U, 100003U}) {
    const auto first = random_floats(count, 1);
    const auto second = random_floats(count, 2);
    std::vector<float> sum(count, 5.0F);
    copy_gradients(first, sum);
    EXPECT_EQ(sum, first);
    add_gradients(second, sum);
    for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(sum[i], first[i] + second[i]) << i << " of " << count;
  }
}

TEST(GradientSum, WantsEqualLengths) {
  const std::vector<float> gradients(4);
  std::vector<float> sum(5);
  EXPECT_THROW(copy_gradients(gradients, sum), InternalError);
  EXPECT_THROW(add_gradients(gradients, sum), InternalError);
}

}  // namespace
}  // namespace convoy
