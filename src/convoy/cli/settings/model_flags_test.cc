#include "convoy/cli/settings/model_flags.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <string>

#include "convoy/base/error.h"

namespace convoy::cli {
namespace {

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
  EXPECT_EQ(graph.node(0).shape, Shape({1, 28, 28}));
  EXPECT_EQ(graph.node(graph.output() - 1).shape, Shape({10}));
}

TEST(ModelFlags, OverrideInputAndClasses) {
  const Graph graph = graph_of("--model resnet18 --input 1x65x40 --classes 7");
  EXPECT_EQ(graph.node(0).shape, Shape({1, 65, 40}));
  EXPECT_EQ(graph.node(graph.output() - 1).shape, Shape({7}));
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
