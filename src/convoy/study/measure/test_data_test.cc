#include "convoy/study/measure/test_data.h"

#include <gtest/gtest.h>

#include <cmath>

namespace convoy::study {
namespace {

TEST(TestData, ComesFromTheConfusionMatrix) {
  RunSummary summary;
  EXPECT_FALSE(test_data_of(summary));
  summary.confusion = {{5, 5}, {10, 20}};  // 10 of one class, 30 of the other
  EXPECT_EQ(test_data_of(summary), (TestData{.samples = 40, .chance = 0.75}));
  summary.confusion = {{0, 0}, {0, 0}};
  EXPECT_FALSE(test_data_of(summary));
}

TEST(TestData, FewSamplesTellLittle) {
  EXPECT_NEAR(chance_limit({.samples = 100, .chance = 0.1}), 0.1 + 1.96 * 0.03, 1e-9);
  EXPECT_EQ(chance_limit({.samples = 4, .chance = 1}), 1);
  EXPECT_NEAR(accuracy_margin({.samples = 100, .chance = 0.1}, 0.5, 0.5), 1.96 * std::sqrt(0.005), 1e-9);
  EXPECT_EQ(accuracy_margin({.samples = 100, .chance = 0.1}, 1, 1), 0);
}

}  // namespace
}  // namespace convoy::study
