#include "convoy/data/augment/augmenter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "convoy/base/error.h"
#include "convoy/data/image/test_image_test.h"

namespace convoy::data {
namespace {

const ChannelStatistics kStatistics{.mean = {0.5F, 0.4F, 0.3F}, .deviation = {0.2F, 0.25F, 0.3F}};

Augmenter augmenter(const AugmentOptions& options, std::uint64_t seed = 9) {
  return {options, Shape{3, 16, 20}, kStatistics, seed};
}

std::vector<float> applied(const Augmenter& augmenter, const Appearance& appearance) {
  const TestImage image(3, 16, 20);
  std::vector<float> values(image.bytes.size());
  Augmenter::Scratch scratch;
  augmenter.apply(image.bytes, appearance, values, scratch);
  return values;
}

std::vector<float> normalised() {
  const TestImage image(3, 16, 20);
  std::vector<float> values(image.bytes.size());
  augmenter({}).normalise(image.bytes, values);
  return values;
}

TEST(Augmenter, NormalisesByTheStatistics) {
  const TestImage image(3, 16, 20);
  const auto values = normalised();
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t c = i / 320;
    EXPECT_NEAR(values[i], (image.bytes[i] / 255.0 - kStatistics.mean[c]) / kStatistics.deviation[c], 1e-5);
  }
}

TEST(Augmenter, NoneIsNormalisation) { EXPECT_EQ(applied(augmenter({}), {.epoch = 3, .sample = 5}), normalised()); }

// The same numbers give the same picture, whatever was made before with the same scratch memory.
TEST(Augmenter, AppearanceDependsOnItsNumbersOnly) {
  AugmentOptions options = augment_preset("strong");
  options.brightness = 0.3F;
  options.contrast = 0.3F;
  options.cutout_size = 6;
  const Augmenter strong = augmenter(options);
  const TestImage image(3, 16, 20);
  Augmenter::Scratch scratch;
  std::vector<float> values(image.bytes.size());
  for (int sample = 10; sample >= 0; --sample)
    strong.apply(image.bytes, {.epoch = 1, .sample = sample}, values, scratch);
  EXPECT_EQ(values, applied(strong, {.epoch = 1, .sample = 0}));
}

TEST(Augmenter, EveryNumberMatters) {
  const AugmentOptions options{.shift = 0.3F};
  std::set<float> places;
  for (const std::uint64_t seed : {9, 10}) {
    for (const std::int64_t epoch : {0, 1}) {
      for (const std::int64_t sample : {0, 1, 65536}) {
        for (const int instance : {0, 1}) {
          const Appearance appearance{.epoch = epoch, .sample = sample, .instance = instance};
          places.insert(augmenter(options, seed).transform(appearance).map.x0);
        }
      }
    }
  }
  EXPECT_EQ(places.size(), 24U);
}

TEST(Augmenter, CutoutIsTheMeanAndNothingElseChanges) {
  const Augmenter cutting = augmenter({.cutout_size = 5, .cutout_count = 2});
  const auto whole = normalised();
  for (int sample = 0; sample < 40; ++sample) {
    const auto cut = applied(cutting, {.sample = sample});
    const auto holes = cutting.transform({.sample = sample}).holes;
    ASSERT_EQ(holes.size(), 2U);
    for (int i = 0; i < static_cast<int>(cut.size()); ++i) {
      const int x = i % 20;
      const int y = i / 20 % 16;
      const bool inside = std::any_of(holes.begin(), holes.end(), [&](const Hole& hole) {
        return x >= hole.left && x < hole.left + 5 && y >= hole.top && y < hole.top + 5;
      });
      ASSERT_EQ(cut[static_cast<std::size_t>(i)], inside ? 0 : whole[static_cast<std::size_t>(i)]) << x << " " << y;
    }
  }
}

// White stays white however bright, and contrast around the mean keeps the mean.
TEST(Augmenter, ColoursActOnTheWholeImage) {
  const Augmenter contrast = augmenter({.contrast = 0.2F});
  const TestImage image(3, 16, 20);
  double mean = 0;
  for (const std::uint8_t byte : image.bytes) mean += byte / static_cast<double>(image.bytes.size());
  const auto values = applied(contrast, {.sample = 4});
  const float factor = contrast.transform({.sample = 4}).contrast;
  ASSERT_GT(std::abs(factor - 1), 0.01);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double byte = std::clamp(factor * (image.bytes[i] - mean) + mean, 0.0, 255.0);
    EXPECT_NEAR(values[i], (byte / 255 - kStatistics.mean[i / 320]) / kStatistics.deviation[i / 320], 1e-4);
  }
}

TEST(Augmenter, RefusesWhatDoesNotFit) {
  EXPECT_THROW(augmenter({.zoom = 2}), UserError);
  EXPECT_THROW(Augmenter({}, Shape{1, 4, 4}, kStatistics, 1), UserError);
  std::vector<float> values(10);
  const std::vector<std::uint8_t> bytes(10);
  Augmenter::Scratch scratch;
  EXPECT_THROW(augmenter({}).apply(bytes, {}, values, scratch), UserError);
}

}  // namespace
}  // namespace convoy::data
