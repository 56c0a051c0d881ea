#include "convoy/models/mobilenet.h"

#include <array>
#include <string>
#include <utility>

#include "convoy/graph/builder.h"
#include "convoy/models/classifier_head.h"

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

}  // namespace convoy
