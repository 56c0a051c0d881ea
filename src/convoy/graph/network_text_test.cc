#include "convoy/graph/network_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "convoy/base/error.h"
#include "convoy/graph/analysis.h"
#include "convoy/graph/builder.h"
#include "convoy/graph/parameters.h"

namespace convoy {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

Graph network(const std::string& text, const NetworkTextOptions& options = {}) {
  return read_network(text, "net.toml", options);
}

std::vector<std::string> layer_names(const Graph& graph) {
  std::vector<std::string> names;
  for (const Layer& layer : graph.layers()) names.push_back(layer.name);
  return names;
}

std::string text_refusal(const std::string& text, const NetworkTextOptions& options = {}) {
  try {
    (void)network(text, options);
  } catch (const UserError& error) {
    return error.what();
  }
  return "accepted";
}

// The text of a network with these layers on a small image; the first layer is on line 3.
std::string with_layers(const std::string& layers) { return "input = \"3x8x8\"\nlayers = [\n" + layers + "\n]\n"; }

TEST(NetworkText, LayersReadTheOneBeforeThem) {
  const Graph graph = network(with_layers(R"({conv = "a", out = 4, kernel = 3, pad = 1}, {relu = "b"})"));
  EXPECT_THAT(layer_names(graph), ElementsAre("input", "a", "b"));
  EXPECT_EQ(graph.layer(2).shape, Shape({4, 8, 8}));
  EXPECT_THAT(graph.layer(2).inputs, ElementsAre(1));
}

TEST(NetworkText, BranchesAreReadByName) {
  const Graph graph = network(with_layers(R"({conv = "a", out = 3}, {conv = "b", from = "input", out = 3},
    {add = "sum", from = ["a", "b"]}, {concat = "all", from = ["sum", "input", "a"]})"));
  EXPECT_THAT(graph.layer(3).inputs, ElementsAre(1, 2));
  EXPECT_EQ(graph.layer(4).shape, Shape({9, 8, 8}));
}

TEST(NetworkText, LayersWithoutNamesAreNumberedByKind) {
  const Graph graph = network(with_layers(R"({relu = ""}, {conv = "", out = 2}, {relu = ""})"));
  EXPECT_THAT(layer_names(graph), ElementsAre("input", "relu1", "conv1", "relu2"));
}

constexpr const char* kBlocks = R"(
input = "3x16x16"
classes = 5
layers = [
  {conv = "stem", out = 8, kernel = 3, pad = 1},
  {block = "residual", name = "stage1.{}", repeat = 2},
  {block = "residual", name = "stage2.{}", repeat = 2, first = 7, width = "2*channels"},
  {relu = "early", from = "stage1.1.body.conv"},
  {global_average_pool = "pool", from = "stage2.8"},
  {flatten = "flatten"},
  {dense = "fc", out = "classes"},
  {loss = "loss"},
]

[block.residual]
parameters = {width = 8}
layers = [
  {conv = "widen", out = "width"},
  {block = "body", name = "body", width = "width"},
  {add = "add", from = ["body", "widen"]},
]

[block.body]
parameters = {width = 1}
output = "bn"
layers = [
  {conv = "conv", out = "width/2", kernel = 3, pad = 1, groups = "width / 4"},
  {conv = "back", out = "width"},
  {batch_norm = "bn"},
  {relu = "unused", from = "in"},
]
)";

TEST(NetworkText, BlocksAreRepeatedWithNumbersAndParameters) {
  const Graph graph = network(kBlocks);
  EXPECT_THAT(layer_names(graph), testing::IsSupersetOf({"stage1.0.widen", "stage1.1.body.bn", "stage2.7.add",
                                                         "stage2.8.body.conv", "stage2.8.add"}));
  const auto find = [&](const std::string& name) { return *std::ranges::find(graph.layers(), name, &Layer::name); };
  EXPECT_EQ(find("stage1.1.add").shape, Shape({8, 16, 16}));
  EXPECT_EQ(find("stage2.7.add").shape, Shape({16, 16, 16}));
  EXPECT_EQ(find("stage2.8.add").shape, Shape({32, 16, 16})) << "channels are those of each copy's input";
  EXPECT_EQ(std::get<op::Convolution>(find("stage1.0.body.conv").op).groups, 2);
  EXPECT_EQ(graph.layer(find("stage1.0.add").inputs[0]).name, "stage1.0.body.bn") << "the block's named output";
  EXPECT_EQ(graph.layer(find("early").inputs[0]).name, "stage1.1.body.conv");
  EXPECT_EQ(graph.layer(find("pool").inputs[0]).name, "stage2.8.add");
  EXPECT_EQ(find("fc").shape, Shape({5}));
}

TEST(NetworkText, InputClassesAndLossAreTheReadersToChange) {
  const Graph graph = network(kBlocks, {.input = {1, 9, 7}, .classes = 3, .loss = op::MeanSquaredError{}});
  EXPECT_EQ(graph.layer(0).shape, Shape({1, 9, 7}));
  EXPECT_EQ(graph.layer(graph.output() - 1).shape, Shape({3}));
  EXPECT_STREQ(kind_of(graph.layers().back().op), "mean_squared_error");
}

// One of every operator, with every attribute different from its default, to see that all are written and read.
Graph everything() {
  Graph graph;
  Value x = input(graph, {4, 12, 10}, "data");
  Value y = conv(x, {.out = 6,
                     .kernel = {3, 2},
                     .stride = {2, 1},
                     .pad = {1, 0, 2, 3},
                     .dilation = {1, 2},
                     .groups = 2,
                     .bias = false,
                     .name = "c \"1\""});
  y = batch_norm(y, {.epsilon = 1e-3F, .momentum = 0.3F, .name = "bn"});
  y = relu6(relu(y, {.name = "r"}), {.name = "r6"});
  y = lrn(y, {.size = 3, .alpha = 2e-4F, .beta = 0.5F, .k = 2, .name = "lrn"});
  const Value a = max_pool(y, {.kernel = {3, 2}, .stride = 2, .pad = {1, 0, 1, 1}, .ceil = true, .name = "mp"});
  const Value b = average_pool(
      y, {.kernel = {3, 2}, .stride = 2, .pad = {1, 0, 1, 1}, .ceil = true, .count_padding = false, .name = "ap"});
  y = concat({add(a, b, {.name = "sum"}), a}, {.name = "cat"});
  y = dropout(pad_channels(y, {.out = 16, .stride = 2, .name = "pc"}), {.rate = 0.3F, .name = "drop"});
  y = flatten(global_average_pool(y, {.name = "gap"}), {.name = "flat"});
  y = dense(dense(y, {.out = 9, .bias = false, .name = "d1"}), {.out = 7, .name = "d2"});
  softmax_cross_entropy(y, {.label_smoothing = 0.1F, .name = "sce"});
  return graph;
}

void expect_same_graph(const Graph& one, const Graph& other) {
  ASSERT_EQ(layer_names(one), layer_names(other));
  EXPECT_EQ(network_text(one), network_text(other));
  for (LayerId id = 0; id < one.size(); ++id) {
    EXPECT_EQ(one.layer(id).shape, other.layer(id).shape) << one.layer(id).name;
    EXPECT_EQ(one.layer(id).inputs, other.layer(id).inputs) << one.layer(id).name;
    EXPECT_EQ(one.layer(id).op.index(), other.layer(id).op.index()) << one.layer(id).name;
  }
}

TEST(NetworkText, EveryOperatorComesBackWithAllItsAttributes) {
  const Graph graph = everything();
  const Graph back = network(network_text(graph));
  expect_same_graph(graph, back);
  const auto& convolution = std::get<op::Convolution>(back.layer(1).op);
  EXPECT_EQ(convolution.kernel, Extent(3, 2));
  EXPECT_EQ(convolution.stride, Extent(2, 1));
  EXPECT_EQ(convolution.pad, Padding(1, 0, 2, 3));
  EXPECT_EQ(convolution.dilation, Extent(1, 2));
  EXPECT_EQ(convolution.groups, 2);
  EXPECT_FALSE(convolution.bias);
  EXPECT_EQ(std::get<op::BatchNorm>(back.layer(2).op).momentum, 0.3F);
  EXPECT_EQ(std::get<op::Lrn>(back.layer(5).op).alpha, 2e-4F);
  EXPECT_FALSE(std::get<op::AveragePool>(back.layer(7).op).count_padding);
  EXPECT_EQ(std::get<op::SoftmaxCrossEntropy>(back.layers().back().op).label_smoothing, 0.1F);
}

TEST(NetworkText, OtherLossesComeBackToo) {
  Graph graph;
  mean_squared_error(dense(input(graph, {5}), {.out = 2, .name = "d"}), {.name = "mse"});
  expect_same_graph(graph, network(network_text(graph)));
}

TEST(NetworkText, ShapeErrorsNameFileLineAndLayer) {
  EXPECT_THAT(text_refusal(with_layers("{relu = \"a\"},\n{conv = \"big\", out = 4, kernel = 9}")),
              AllOf(HasSubstr("net.toml:4: layer \"big\": convolution 9x9 does not fit into 3x8x8")));
  EXPECT_THAT(text_refusal(with_layers("{conv = \"a\", out = 4},\n\n{add = \"s\", from = [\"a\", \"input\"]}")),
              HasSubstr("net.toml:5: layer \"s\": cannot add 4x8x8 and 3x8x8"));
  EXPECT_THAT(text_refusal("input = \"3x8x8\"\nlayers = [{block = \"b\", name = \"one\"}]\n[block.b]\nlayers = [\n"
                           "{conv = \"c\", out = 0}]\n"),
              HasSubstr("net.toml:5: layer \"one.c\": conv: out channels must be at least 1"));
  EXPECT_THAT(text_refusal("input = \"3x0\"\nlayers = [{relu = \"a\"}]"), HasSubstr("net.toml:1: input:"));
}

TEST(NetworkText, UnknownWordsAreRefusedWithTheNearest) {
  EXPECT_THAT(
      text_refusal(with_layers("{conv = \"a\", out = 4, kernl = 3}")),
      AllOf(HasSubstr("net.toml:3: layer \"a\": unknown key \"kernl\""), HasSubstr("did you mean \"kernel\"?")));
  EXPECT_THAT(text_refusal(with_layers("{convv = \"a\", out = 4}")), HasSubstr("did you mean \"conv\"?"));
  EXPECT_THAT(text_refusal(with_layers("{conv = \"abc\", out = 4}, {relu = \"r\", from = \"abd\"}")),
              AllOf(HasSubstr("layer \"r\": reads \"abd\""), HasSubstr("did you mean \"abc\"?")));
  EXPECT_THAT(text_refusal("inptu = \"3x8x8\"\n"), HasSubstr("did you mean \"input\"?"));
  EXPECT_THAT(text_refusal(with_layers("{block = \"x\"}") + "[block.y]\nlayers = []"), HasSubstr("no [block.x]"));
  EXPECT_THAT(text_refusal(with_layers("{conv = \"a\", out = \"width\"}")), HasSubstr("\"width\" is neither"));
  EXPECT_THAT(text_refusal(with_layers("{conv = \"a\", relu = \"b\"}")), HasSubstr("conv and relu"));
  EXPECT_THAT(text_refusal(with_layers("{dense = \"a\"}")), HasSubstr("layer \"a\": out is missing"));
}

TEST(NetworkText, ClassesThatDoNotFitAreRefused) {
  const std::string fixed = with_layers("{flatten = \"f\"}, {dense = \"fc\", out = 10}, {loss = \"loss\"}");
  EXPECT_EQ(text_refusal(fixed), "accepted");
  EXPECT_THAT(text_refusal(fixed, {.classes = 7}),
              AllOf(HasSubstr("net.toml:3"), HasSubstr("10 scores"), HasSubstr("7 classes"), HasSubstr("\"classes\"")));
  EXPECT_THAT(text_refusal(with_layers("{dense = \"fc\", out = \"classes\"}")), HasSubstr("--classes"));
}

TEST(NetworkText, CyclesAreRefused) {
  EXPECT_THAT(text_refusal(with_layers("{add = \"a\", from = [\"b\", \"input\"]}, {relu = \"b\"}")),
              HasSubstr("reads \"b\", which is not a layer before it"));
  EXPECT_THAT(text_refusal(with_layers("{relu = \"a\", from = \"a\"}")), HasSubstr("not a layer before it"));
  EXPECT_THAT(text_refusal(with_layers("{block = \"a\"}") +
                           "[block.a]\nlayers = [{block = \"b\"}]\n[block.b]\nlayers = [{block = \"a\"}]\n"),
              HasSubstr("net.toml:8: block \"a\" contains itself: a > b > a"));
}

TEST(NetworkText, HugeTextsAreRefusedSoon) {
  const auto begin = std::chrono::steady_clock::now();
  const std::string many = with_layers("{block = \"a\", name = \"x{}\", repeat = 10000}");
  std::string nested;
  for (char block = 'a'; block < 'j'; ++block) {
    nested += std::string("[block.") + block + "]\nlayers = [{block = \"" + static_cast<char>(block + 1) +
              "\", name = \"{}\", repeat = 1000}]\n";
  }
  nested += "[block.j]\nlayers = [{relu = \"r\"}]\n";
  EXPECT_THAT(text_refusal(many + nested), HasSubstr("more than 10000 layers"));
  EXPECT_THAT(text_refusal(with_layers("{block = \"a\", name = \"x{}\", repeat = 1000000000000}") + nested),
              HasSubstr("repeat must be 1 to 10000"));
  EXPECT_THAT(text_refusal(with_layers("{conv = \"a\", out = \"999999999*999999999*999999999\"}")),
              HasSubstr("too large"));
  EXPECT_THAT(text_refusal(with_layers("{conv = \"a\", out = 99999999999}")), HasSubstr("too large"));
  EXPECT_THAT(text_refusal("input = \"99999x99999x99999\"\nlayers = [{relu = \"r\"}]"), Not(HasSubstr("accepted")));
  EXPECT_THAT(text_refusal("a = " + std::string(100'000, '[')), HasSubstr("nested more than"));
  std::string chain;
  for (int i = 0; i < 40; ++i) {
    chain += "[block.b" + std::to_string(i) + "]\nlayers = [{block = \"b" + std::to_string(i + 1) + "\"}]\n";
  }
  EXPECT_THAT(text_refusal(with_layers("{block = \"b0\"}") + chain), HasSubstr("more than 16 deep"));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::minutes(5)) << "exponential work";
}

TEST(NetworkText, WhatIsNoNetworkIsRefused) {
  EXPECT_THAT(text_refusal("input = "), HasSubstr("net.toml:1:"));
  EXPECT_THAT(text_refusal("layers = []"), HasSubstr("input = \"3x32x32\""));
  EXPECT_THAT(text_refusal("input = \"3x8x8\"\n"), HasSubstr("layers are missing"));
  EXPECT_THAT(text_refusal("input = \"3x8x8\"\nlayers = [3]"), HasSubstr("net.toml:2: a layer is written"));
  EXPECT_THAT(text_refusal("input = 3\nlayers = [{relu = \"a\"}]"), HasSubstr("net.toml:1: input must be text"));
  EXPECT_THAT(text_refusal(with_layers("{relu = \"a\\nb\"}")), HasSubstr("control character"));
  EXPECT_THAT(text_refusal(with_layers("{relu = \"a\"}, {relu = \"a\"}")), HasSubstr("the name is taken"));
  EXPECT_THAT(text_refusal(with_layers("{block = \"b\", repeat = 2}") + "[block.b]\nlayers = [{relu = \"r\"}]"),
              HasSubstr("copies need names of their own"));
  EXPECT_THAT(text_refusal(with_layers("{conv = \"a\", out = 4, kernel = [1, 2, 3]}")), HasSubstr("[height, width]"));
  EXPECT_THAT(text_refusal(with_layers("{conv = \"a\", out = 4, bias = 1}")), HasSubstr("true or false"));
  EXPECT_THAT(text_refusal(with_layers("{conv = \"a\", out = \"channels/2\"}")), HasSubstr("with a rest"));
}

}  // namespace
}  // namespace convoy
