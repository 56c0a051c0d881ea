#include "convoy/models/families.h"

#include <array>
#include <string>
#include <utility>

#include "convoy/graph/builder.h"
#include "convoy/models/layers.h"

namespace convoy {
namespace {

Value conv_norm_relu(Value x, op::Convolution attributes) {
  const std::string name = attributes.name;
  attributes.bias = false;
  x = batch_norm(conv(x, std::move(attributes)), {.name = name + ".bn"});
  return relu(x, {.name = name + ".relu"});
}

Value separable(Value x, int out, int stride, const std::string& name) {
  const int in = static_cast<int>(x.shape()[0]);
  x = conv_norm_relu(x,
                     {.out = in, .kernel = 3, .stride = stride, .pad = 1, .groups = in, .name = name + ".depthwise"});
  return conv_norm_relu(x, {.out = out, .name = name + ".pointwise"});
}

struct Stage {
  int out;
  int blocks;
  int stride;  // of the first block
};

constexpr std::array<Stage, 5> kStages = {{{64, 1, 1}, {128, 2, 2}, {256, 2, 2}, {512, 6, 2}, {1024, 2, 2}}};

}  // namespace

Graph mobilenet(const ModelOptions& options) {
  Graph graph;
  Value x =
      conv_norm_relu(input(graph, options.input), {.out = 32, .kernel = 3, .stride = 2, .pad = 1, .name = "conv1"});
  int number = 0;
  for (const Stage& stage : kStages) {
    for (int i = 0; i < stage.blocks; ++i) {
      x = separable(x, stage.out, i == 0 ? stage.stride : 1, "block" + std::to_string(++number));
    }
  }
  classify_average(x, "fc", 0, options);
  return graph;
}

namespace {

// Convolution, batch norm and ReLU6, named `name`.0, `name`.1 and `name`.2.
Value conv_norm_relu6(Value x, op::Convolution attributes, const std::string& name) {
  attributes.bias = false;
  attributes.name = name + ".0";
  x = batch_norm(conv(x, std::move(attributes)), {.name = name + ".1"});
  return relu6(x, {.name = name + ".2"});
}

struct Residual {
  int expansion;
  int out;
  int stride;
  std::string name;
};

// Widens the channels, filters each one alone, and narrows them without an activation. The shortcut joins the narrow
// ends.
Value inverted_residual(Value x, const Residual& block) {
  const int in = static_cast<int>(x.shape()[0]);
  const int width = in * block.expansion;
  const std::string name = block.name + ".conv.";
  int index = 0;
  Value y = x;
  if (block.expansion > 1) {
    y = conv_norm_relu6(y, {.out = width}, name + std::to_string(index++));
  }
  y = conv_norm_relu6(y, {.out = width, .kernel = 3, .stride = block.stride, .pad = 1, .groups = width},
                      name + std::to_string(index++));
  y = conv(y, {.out = block.out, .bias = false, .name = name + std::to_string(index++)});
  y = batch_norm(y, {.name = name + std::to_string(index)});
  return block.stride == 1 && in == block.out ? add(x, y, {.name = block.name + ".add"}) : y;
}

struct BottleneckStage {
  int expansion;
  int out;
  int blocks;
  int stride;  // of the first block
};

constexpr std::array<BottleneckStage, 7> kBottleneckStages = {
    {{1, 16, 1, 1}, {6, 24, 2, 2}, {6, 32, 3, 2}, {6, 64, 4, 2}, {6, 96, 3, 1}, {6, 160, 3, 2}, {6, 320, 1, 1}}};

}  // namespace

Graph mobilenetv2(const ModelOptions& options) {
  Graph graph;
  int index = 0;
  const auto next_name = [&] { return "features." + std::to_string(index++); };
  Value x = input(graph, options.input);
  x = conv_norm_relu6(x, {.out = 32, .kernel = 3, .stride = 2, .pad = 1}, next_name());
  for (const BottleneckStage& stage : kBottleneckStages) {
    for (int i = 0; i < stage.blocks; ++i) {
      x = inverted_residual(x, {stage.expansion, stage.out, i == 0 ? stage.stride : 1, next_name()});
    }
  }
  x = conv_norm_relu6(x, {.out = 1280}, next_name());
  classify_average(x, "classifier.1", 0.2F, options);
  return graph;
}

}  // namespace convoy
