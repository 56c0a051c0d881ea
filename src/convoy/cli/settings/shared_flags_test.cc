#include "convoy/cli/settings/shared_flags.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <string>

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

using testing::AllOf;
using testing::HasSubstr;

Graph graph_of(const std::string& arguments) {
  CLI::App command;
  ModelFlags flags;
  add_model_flags(command, flags);
  command.parse(arguments);
  return build_model(flags);
}

std::string refusal_of(const std::string& arguments) {
  try {
    (void)graph_of(arguments);
  } catch (const UserError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(ModelFlags, LeaveTheModelsOwnSizes) {
  const Graph graph = graph_of("--model lenet");
  EXPECT_EQ(graph.layer(0).shape, Shape({1, 28, 28}));
  EXPECT_EQ(graph.layer(graph.output() - 1).shape, Shape({10}));
}

TEST(ModelFlags, OverrideInputAndClasses) {
  const Graph graph = graph_of("--model resnet18 --input 1x65x40 --classes 7");
  EXPECT_EQ(graph.layer(0).shape, Shape({1, 65, 40}));
  EXPECT_EQ(graph.layer(graph.output() - 1).shape, Shape({7}));
}

TEST(ModelFlags, RefuseWithWhatAndHow) {
  EXPECT_THAT(refusal_of("--model vgg166"), AllOf(HasSubstr("vgg166"), HasSubstr("did you mean \"vgg16\"")));
  EXPECT_THAT(refusal_of("--model lenet --classes 0"), HasSubstr("--classes must be at least 1, got 0"));
  EXPECT_THAT(refusal_of("--model lenet --input 28x28"), AllOf(HasSubstr("--input"), HasSubstr("such as 3x224x224")));
  EXPECT_THAT(refusal_of("--model lenet --input 3xx28"), HasSubstr("malformed"));
  EXPECT_THAT(refusal_of("--model vgg16 --input 3x31x31"), AllOf(HasSubstr("features.30"), HasSubstr("512x1x1")));
}

TEST(ModelFlags, NeedAModel) { EXPECT_THROW((void)graph_of("--input 3x8x8"), CLI::RequiredError); }

}  // namespace

}  // namespace convoy::cli
