#include "convoy/data/augment/augment_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "convoy/base/error.h"
#include "convoy/base/throws_with_test.h"
#include "convoy/data/augment/augmenter.h"

namespace convoy::data {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

std::string refusal(const AugmentOptions& options) {
  try {
    validate(options);
  } catch (const UserError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(AugmentOptions, PresetsAreKnownAndValid) {
  EXPECT_THAT(augment_presets(), ElementsAre("none", "cifar", "imagenet", "gentle", "strong"));
  for (const std::string& name : augment_presets()) EXPECT_EQ(refusal(augment_preset(name)), "accepted") << name;
  EXPECT_EQ(augment_preset("cifar").crop_padding, 4);
  EXPECT_EQ(augment_preset("strong").rotation, 0.05F);
}

TEST(AugmentOptions, MisspeltPresetIsSuggested) {
  try {
    (void)augment_preset("cifr");
    FAIL();
  } catch (const UserError& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("'cifr'"), HasSubstr("did you mean cifar?"), HasSubstr("strong")));
  }
}

TEST(AugmentOptions, WhatIsOutOfRangeIsNamed) {
  EXPECT_THAT(refusal({.crop_padding = -1}), HasSubstr("crop padding"));
  EXPECT_THAT(refusal({.shift = -0.1F}), HasSubstr("shift"));
  EXPECT_THAT(refusal({.zoom = 1}), HasSubstr("zoom"));
  EXPECT_THAT(refusal({.brightness = 1}), HasSubstr("brightness"));
  EXPECT_THAT(refusal({.contrast = std::nanf("")}), HasSubstr("contrast"));
  EXPECT_THAT(refusal({.cutout_size = -3}), HasSubstr("cutout size"));
  EXPECT_THAT(refusal({.resized_crop = {.smallest_area = 0}}), HasSubstr("smallest area"));
  EXPECT_THAT(refusal({.resized_crop = {.largest_stretch = 0.5F}}), HasSubstr("largest stretch"));
  EXPECT_THAT(refusal({.crop_padding = 4, .resized_crop = {.smallest_area = 0.5F}}), HasSubstr("exclude"));
}

TEST(AugmentFit, CutoutsLargerThanTheImagesAreRefused) {
  AugmentOptions options;
  options.cutout_size = 28;
  EXPECT_NO_THROW(validate_for(options, Shape({3, 28, 32})));
  EXPECT_TRUE(throws_with<UserError>(
      [&] {
        validate_for(options, Shape({3, 32, 27}));
      },
      "a cutout of 28 pixels does not fit images of 32x27; it is at most 27"));
  options.cutout_size = 99;
  const ChannelStatistics statistics{.mean = {0, 0, 0}, .deviation = {1, 1, 1}};
  EXPECT_THROW(Augmenter(options, Shape({3, 32, 32}), statistics, 0), UserError);
}

}  // namespace

}  // namespace convoy::data
