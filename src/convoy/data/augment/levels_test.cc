#include "convoy/data/augment/levels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "convoy/base/error.h"

namespace convoy::data {
namespace {

TEST(Levels, NormalisationGivesZeroMeanAndUnitDeviation) {
  const auto levels = normalisation({.mean = {0.5F, 0.2F}, .deviation = {0.25F, 0.1F}});
  ASSERT_EQ(levels.size(), 2U);
  EXPECT_NEAR(levels[0](127.5F), 0, 1e-6);
  EXPECT_NEAR(levels[0](255), 2, 1e-6);
  EXPECT_NEAR(levels[1](0.2F * 255), 0, 1e-6);
  EXPECT_NEAR(levels[1](0.1F * 255), -1, 1e-6);
}

TEST(Levels, ConstantChannelIsOnlyCentred) {
  const auto levels = normalisation({.mean = {1}, .deviation = {0}});
  EXPECT_EQ(levels[0](255), 0);
}

// The definition, step by step, clamped where a picture would be.
TEST(Levels, BrightnessAndContrastFollowTheirDefinition) {
  const Levels plain{.scale = 0.02F, .offset = -1.5F};
  for (const float brightness : {0.4F, 1.0F, 1.7F}) {
    for (const float contrast : {0.3F, 1.0F, 1.9F}) {
      const Levels levels = coloured(plain, brightness, contrast, 90);
      for (int byte = 0; byte < 256; ++byte) {
        const double bright = static_cast<double>(brightness) * byte;
        const double mean = static_cast<double>(brightness) * 90;
        const double contrasted = std::clamp(static_cast<double>(contrast) * (bright - mean) + mean, 0.0, 255.0);
        EXPECT_NEAR(levels(static_cast<float>(byte)), 0.02 * contrasted - 1.5, 1e-4) << byte;
      }
    }
  }
}

TEST(Levels, RowsAreMappedByteByByte) {
  const Levels levels{.low = 10, .high = 200, .scale = 0.5F, .offset = 3};
  std::vector<std::uint8_t> bytes(259);  // not a multiple of a vector's length
  std::iota(bytes.begin(), bytes.end(), std::uint8_t{0});
  std::vector<float> values(bytes.size() + 1, -7);
  apply_levels(levels, bytes.data(), values.data(), static_cast<std::int64_t>(bytes.size()));
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    EXPECT_EQ(values[i], static_cast<float>(std::clamp<int>(bytes[i], 10, 200)) * 0.5F + 3);
  }
  EXPECT_EQ(values.back(), -7);
}

TEST(Levels, RefusesFactorsThatTurnOrEraseTheImage) {
  EXPECT_THROW((void)coloured({}, 0, 1, 0), InternalError);
  EXPECT_THROW((void)coloured({}, 1, -1, 0), InternalError);
}

}  // namespace
}  // namespace convoy::data
