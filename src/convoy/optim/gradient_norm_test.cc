#include "convoy/optim/gradient_norm.h"

#include <gtest/gtest.h>
#include <omp.h>

#include <cmath>
#include <limits>
#include <vector>

#include "convoy/base/error.h"
#include "convoy/optim/random_floats_test.h"

namespace convoy {
namespace {

double naive_norm(const std::vector<float>& values) {
  long double sum = 0;
  for (const float value : values) sum += static_cast<long double>(value) * value;
  return static_cast<double>(std::sqrt(sum));
}

TEST(GradientNorm, EqualsTheNaiveSum) {
  for (const std::size_t count : {0U, 1U, 31U, 32U, 33U, 16383U, 16384U, 16385U, 100003U}) {
    const std::vector<float> values = random_floats(count, count);
    EXPECT_NEAR(gradient_norm(values), naive_norm(values), 1e-13 * naive_norm(values)) << count;
  }
}

// More values than 512 chunks of 16384, so that chunks become longer.
TEST(GradientNorm, OfVeryManyValues) {
  for (const std::size_t count : {std::size_t{512 * 16384}, std::size_t{512 * 16384 + 1}, std::size_t{9000001}}) {
    const std::vector<float> values(count, 0.5F);
    EXPECT_DOUBLE_EQ(gradient_norm(values), std::sqrt(0.25 * static_cast<double>(count)));
  }
}

TEST(GradientNorm, DoesNotDependOnThreads) {
#ifdef __SANITIZE_THREAD__
  GTEST_SKIP() << "the thread sanitizer does not see libgomp's barriers";
#endif
  const std::vector<float> values = random_floats(300001, 3);
  const int before = omp_get_max_threads();
  omp_set_num_threads(1);
  const double alone = gradient_norm(values);
  for (const int threads : {2, 3, 7}) {
    omp_set_num_threads(threads);
    EXPECT_EQ(gradient_norm(values), alone) << threads;
  }
  omp_set_num_threads(before);
}

// Values whose squares are too large or too small for single precision.
TEST(GradientNorm, NeitherOverflowsNorUnderflows) {
  EXPECT_DOUBLE_EQ(gradient_norm(std::vector<float>{3e38F, 0.0F}), static_cast<double>(3e38F));
  EXPECT_DOUBLE_EQ(gradient_norm(std::vector<float>{1e-30F}), static_cast<double>(1e-30F));
}

// The bad value is in the body of the vector loop or in its remainder.
TEST(GradientNorm, IsNotFiniteWhenAValueIsNot) {
  for (const std::size_t place : {0U, 31U, 16384U, 39999U, 40000U}) {
    for (const float bad : {std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity(),
                            std::numeric_limits<float>::quiet_NaN()}) {
      std::vector<float> values = random_floats(40001, 1);
      values[place] = bad;
      EXPECT_FALSE(std::isfinite(gradient_norm(values))) << bad << " at " << place;
    }
  }
}

TEST(ClipScale, BringsTheNormToTheLimit) {
  EXPECT_EQ(clip_scale(0, 1), 1.0F);
  EXPECT_EQ(clip_scale(1, 1), 1.0F);
  EXPECT_EQ(clip_scale(4, 1), 0.25F);
  EXPECT_EQ(clip_scale(10, 5), 0.5F);
}

TEST(ClipScale, WantsAFiniteNormAndAPositiveLimit) {
  EXPECT_THROW((void)clip_scale(std::numeric_limits<double>::infinity(), 1), UserError);
  EXPECT_THROW((void)clip_scale(1, 0), UserError);
}

}  // namespace
}  // namespace convoy
