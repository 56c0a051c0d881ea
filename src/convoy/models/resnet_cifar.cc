#include "convoy/models/resnet_cifar.h"

#include <fmt/format.h>

#include <string>

#include "convoy/base/check.h"
#include "convoy/graph/builder.h"
#include "convoy/models/classifier_head.h"

namespace convoy {
namespace {

Value conv3x3(Value x, int out, int stride, const std::string& name) {
  return conv(x, {.out = out, .kernel = 3, .stride = stride, .pad = 1, .bias = false, .name = name});
}

Value basic_block(Value x, int out, int stride, const std::string& name) {
  Value y = batch_norm(conv3x3(x, out, stride, name + ".conv1"), {.name = name + ".bn1"});
  y = relu(y, {.name = name + ".relu1"});
  y = batch_norm(conv3x3(y, out, 1, name + ".conv2"), {.name = name + ".bn2"});
  if (stride > 1) {
    x = pad_channels(x, {.out = out, .stride = stride, .name = name + ".shortcut"});
  }
  return relu(add(y, x, {.name = name + ".add"}), {.name = name + ".relu2"});
}

}  // namespace

Graph resnet_cifar(int depth, const ModelOptions& options) {
  CONVOY_CHECK_EQ(depth % 6, 2);
  const int blocks = (depth - 2) / 6;
  Graph graph;
  Value x = batch_norm(conv3x3(input(graph, options.input), 16, 1, "conv1"), {.name = "bn1"});
  x = relu(x, {.name = "relu1"});
  for (int stage = 0; stage < 3; ++stage) {
    for (int block = 0; block < blocks; ++block) {
      const int stride = stage > 0 && block == 0 ? 2 : 1;
      x = basic_block(x, 16 << stage, stride, fmt::format("layer{}.{}", stage + 1, block));
    }
  }
  classify_average(x, "fc", 0, options);
  return graph;
}

}  // namespace convoy
