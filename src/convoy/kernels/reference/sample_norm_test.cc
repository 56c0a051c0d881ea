#include "convoy/kernels/reference/sample_norm.h"

#include <gtest/gtest.h>

#include "convoy/kernels/reference/gradient_check_test.h"

namespace convoy::kernels::reference {
namespace {

TEST(SampleNormTwin, KnownValues) {
  const SampleNorm norm{.channels = 2, .pixels = 2, .groups = 2, .epsilon = 0};
  EXPECT_EQ(norm.forward({1, 3, 10, 30}, {1, 2}, {0, 5}), (Values{-1, 1, 3, 7}));
}

TEST(SampleNormTwin, GradientsAreSlopes) {
  for (const bool per_element : {false, true}) {
    const SampleNorm norm{.batch = 2, .channels = 4, .pixels = 3, .groups = 2, .per_element = per_element};
    const std::size_t factors = per_element ? 12 : 4;
    const Values x = random_values(24, 1, 2.0F);
    const Values scale = random_values(static_cast<std::int64_t>(factors), 2);
    const Values shift = random_values(static_cast<std::int64_t>(factors), 3);
    const Values dy = random_values(24, 4);
    const auto gradients = norm.backward(x, scale, dy);
    EXPECT_TRUE(is_gradient([&](const Values& v) { return dot(dy, norm.forward(v, scale, shift)); }, x, gradients.x));
    EXPECT_TRUE(
        is_gradient([&](const Values& v) { return dot(dy, norm.forward(x, v, shift)); }, scale, gradients.scale));
    EXPECT_TRUE(
        is_gradient([&](const Values& v) { return dot(dy, norm.forward(x, scale, v)); }, shift, gradients.shift));
  }
}

}  // namespace
}  // namespace convoy::kernels::reference
