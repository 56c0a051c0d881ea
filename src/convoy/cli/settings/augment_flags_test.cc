#include "convoy/cli/settings/augment_flags.h"

#include <gtest/gtest.h>

#include <CLI/CLI.hpp>

#include "convoy/base/error.h"

namespace convoy::cli {
namespace {

AugmentSettings parsed(const std::string& arguments) {
  CLI::App app;
  AugmentSettings flags;
  add_augment_flags(app, flags);
  app.parse(arguments);
  return flags;
}

TEST(AugmentFlags, FlagsReplaceValuesOfThePreset) {
  const AugmentSettings flags = parsed("--augment cifar --cutout 16 --flip false --zoom 0.1");
  const data::AugmentOptions options = augment_options(flags);
  EXPECT_EQ(options.crop_padding, 4);
  EXPECT_FALSE(options.flip);
  EXPECT_EQ(options.cutout_size, 16);
  EXPECT_EQ(options.cutout_count, 1);
  EXPECT_EQ(options.zoom, 0.1F);
  EXPECT_EQ(augment_text(flags), "cifar, flip false, zoom 0.1, cutout 16");
}

TEST(AugmentFlags, NothingGivenNothingAugmented) {
  const data::AugmentOptions options = augment_options(parsed(""));
  EXPECT_EQ(options.crop_padding, 0);
  EXPECT_FALSE(options.flip);
  EXPECT_EQ(augment_text(parsed("")), "none");
}

TEST(AugmentFlags, WhatIsWrongIsRefused) {
  EXPECT_THROW((void)augment_options(parsed("--augment cifra")), UserError);
  EXPECT_THROW((void)augment_options(parsed("--zoom 1.5")), UserError);
  EXPECT_THROW((void)augment_options(parsed("--augment imagenet --pad 4")), UserError);
}

}  // namespace
}  // namespace convoy::cli
