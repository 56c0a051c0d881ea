#include "convoy/models/zoo.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <ostream>
#include <set>

#include "convoy/base/error.h"
#include "convoy/graph/analysis.h"

namespace convoy {
namespace {

using testing::AllOf;
using testing::HasSubstr;

struct Row {
  const char* model;
  Shape input;
  int classes;
  std::int64_t parameters;
  std::int64_t tensors;
};

std::ostream& operator<<(std::ostream& out, const Row& row) {
  return out << row.model << " at " << row.input.to_string();
}

class ZooRow : public testing::TestWithParam<Row> {};

TEST_P(ZooRow, HasPublishedParametersAndTensors) {
  const Row& row = GetParam();
  const Graph graph = build_model(row.model, {.input = row.input, .classes = row.classes});
  const Analysis analysis = analyse(graph);
  EXPECT_EQ(analysis.parameters(), row.parameters);
  EXPECT_EQ(analysis.tensors, row.tensors);
  EXPECT_TRUE(is_loss(graph.layers().back().op));
}

// A CIFAR ResNet has 3 tensors for each of its depth - 1 convolutions (with its batch norm) and 2 for the dense layer.
INSTANTIATE_TEST_SUITE_P(
    All, ZooRow,
    testing::Values(
        Row{"lenet", {1, 28, 28}, 10, 1'663'370, 8}, Row{"alexnet", {3, 64, 64}, 200, 25'171'464, 16},
        Row{"alexnet", {3, 224, 224}, 200, 72'357'384, 16}, Row{"alexnet2012", {3, 227, 227}, 1000, 60'965'224, 16},
        Row{"alexnet-cifar", {3, 32, 32}, 10, 89'578, 8}, Row{"vgg16", {3, 64, 64}, 200, 40'708'104, 32},
        Row{"vgg11", {3, 224, 224}, 1000, 132'863'336, 22}, Row{"vgg13", {3, 224, 224}, 1000, 133'047'848, 26},
        Row{"vgg16", {3, 224, 224}, 1000, 138'357'544, 32}, Row{"vgg19", {3, 224, 224}, 1000, 143'667'240, 38},
        Row{"resnet20", {3, 32, 32}, 10, 269'722, 59}, Row{"resnet32", {3, 32, 32}, 10, 464'154, 95},
        Row{"resnet44", {3, 32, 32}, 10, 658'586, 131}, Row{"resnet56", {3, 32, 32}, 10, 853'018, 167},
        Row{"resnet110", {3, 32, 32}, 10, 1'727'962, 329}, Row{"resnet18", {3, 224, 224}, 1000, 11'689'512, 62},
        Row{"resnet34", {3, 224, 224}, 1000, 21'797'672, 110}, Row{"resnet50", {3, 224, 224}, 1000, 25'557'032, 161},
        Row{"resnet101", {3, 224, 224}, 1000, 44'549'160, 314}, Row{"resnet152", {3, 224, 224}, 1000, 60'192'808, 467},
        Row{"googlenet", {3, 224, 224}, 1000, 6'998'552, 116}, Row{"mobilenet", {3, 224, 224}, 1000, 4'231'976, 83},
        Row{"mobilenetv2", {3, 224, 224}, 1000, 3'504'872, 158},
        Row{"squeezenet1.1", {3, 224, 224}, 1000, 1'235'496, 52}),
    [](const auto& test) {
      std::string name = std::string(test.param.model) + "_" + test.param.input.to_string();
      std::erase(name, '.');
      std::erase(name, '-');
      return name;
    });

TEST(Zoo, EveryEntryBuildsAtItsOwnSizeAndHasAUniqueName) {
  std::set<std::string> names;
  for (const ZooEntry& entry : zoo()) {
    EXPECT_TRUE(names.insert(entry.name).second) << entry.name;
    const Graph graph = build_model(entry.name);
    EXPECT_EQ(graph.layer(0).shape, entry.input) << entry.name;
    EXPECT_EQ(is_loss(graph.layers().back().op), entry.classes > 0) << entry.name;
  }
}

std::string message_of(std::string_view model, const ModelOptions& options = {}) {
  try {
    (void)build_model(model, options);
  } catch (const UserError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Zoo, RefusesAnUnknownNameWithTheNearest) {
  EXPECT_THAT(message_of("resnte50"), AllOf(HasSubstr("\"resnte50\""), HasSubstr("did you mean \"resnet50\"?")));
  EXPECT_THAT(message_of("transformer-xl"), AllOf(HasSubstr("convoy models"), testing::Not(HasSubstr("did you mean"))));
}

TEST(Zoo, RefusesClassCountsThatMakeNoSense) {
  EXPECT_THAT(message_of("lenet", {.classes = -1}), HasSubstr("classes must be at least 1"));
  EXPECT_THAT(message_of("inception-naive", {.classes = 10}), HasSubstr("without a classifier"));
}

TEST(Zoo, RefusesAnInputThatDoesNotFitWithTheLayerAndBothShapes) {
  EXPECT_THAT(message_of("vgg16", {.input = {3, 16, 16}}),
              AllOf(HasSubstr("layer \"features.30\""), HasSubstr("max pool 2x2"), HasSubstr("512x1x1")));
  EXPECT_THAT(message_of("alexnet2012", {.input = {3, 32, 32}}),
              AllOf(HasSubstr("layer \"pool2\""), HasSubstr("max pool 3x3"), HasSubstr("256x2x2")));
  EXPECT_THAT(message_of("resnet50", {.input = {784}}), AllOf(HasSubstr("layer \"conv1\""), HasSubstr("784")));
}

TEST(Zoo, AveragePoolingModelsTakeAnyImageDownToOnePixel) {
  for (const char* model : {"resnet20", "resnet18", "resnet50", "mobilenet", "mobilenetv2"}) {
    const Graph graph = build_model(model, {.input = {1, 1, 1}, .classes = 3});
    EXPECT_EQ(graph.layer(graph.output() - 1).shape, Shape({3})) << model;
  }
}

TEST(Zoo, TakesWideImages) {
  const Graph graph = build_model("lenet", {.input = {3, 20, 40}, .classes = 7});
  const Analysis analysis = analyse(graph);
  EXPECT_EQ(analysis.parameters(), 3 * 25 * 32 + 32 + 32 * 25 * 64 + 64 + 64 * 5 * 10 * 512 + 512 + 512 * 7 + 7);
}

TEST(Zoo, PassesLabelSmoothingToTheLoss) {
  const Graph graph = build_model("resnet20", {.label_smoothing = 0.1F});
  EXPECT_EQ(std::get<op::SoftmaxCrossEntropy>(graph.layers().back().op).label_smoothing, 0.1F);
}

TEST(Zoo, EveryClassifierTakesEveryLoss) {
  for (const ZooEntry& entry : zoo()) {
    if (entry.classes == 0) continue;
    EXPECT_STREQ(kind_of(build_model(entry.name).layers().back().op), "softmax_cross_entropy") << entry.name;
    const Graph graph = build_model(entry.name, {.loss = Loss::mean_squared_error});
    EXPECT_STREQ(kind_of(graph.layers().back().op), "mean_squared_error") << entry.name;
    EXPECT_EQ(graph.layers().back().name, "loss") << entry.name;
  }
}

TEST(Zoo, RefusesLabelSmoothingOfSquaredError) {
  EXPECT_THAT(message_of("lenet", {.loss = Loss::mean_squared_error, .label_smoothing = 0.1F}),
              HasSubstr("label smoothing"));
}

}  // namespace
}  // namespace convoy
