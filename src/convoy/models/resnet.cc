#include "convoy/models/families.h"

#include <fmt/format.h>

#include <array>
#include <string>

#include "convoy/base/check.h"
#include "convoy/graph/builder.h"
#include "convoy/models/layers.h"

namespace convoy {
namespace {

struct Block {
  int width;   // channels inside the block
  int stride;  // of the whole block
  std::string name;
};

Value conv_norm(Value x, op::Convolution attributes, const std::string& norm_name) {
  attributes.bias = false;
  return batch_norm(conv(x, std::move(attributes)), {.name = norm_name});
}

// The input itself, or its projection where the shape changes.
Value shortcut(Value x, int out, const Block& block) {
  if (block.stride == 1 && x.shape()[0] == out) {
    return x;
  }
  return conv_norm(x, {.out = out, .stride = block.stride, .name = block.name + ".downsample.0"},
                   block.name + ".downsample.1");
}

Value join(Value y, Value x, const Block& block, const char* relu_name) {
  const Value sum = add(y, shortcut(x, static_cast<int>(y.shape()[0]), block), {.name = block.name + ".add"});
  return relu(sum, {.name = block.name + relu_name});
}

Value basic(Value x, const Block& block) {
  const auto& [width, stride, name] = block;
  Value y =
      conv_norm(x, {.out = width, .kernel = 3, .stride = stride, .pad = 1, .name = name + ".conv1"}, name + ".bn1");
  y = relu(y, {.name = name + ".relu1"});
  y = conv_norm(y, {.out = width, .kernel = 3, .pad = 1, .name = name + ".conv2"}, name + ".bn2");
  return join(y, x, block, ".relu2");
}

Value bottleneck(Value x, const Block& block) {
  constexpr int kExpansion = 4;
  const auto& [width, stride, name] = block;
  Value y = conv_norm(x, {.out = width, .name = name + ".conv1"}, name + ".bn1");
  y = relu(y, {.name = name + ".relu1"});
  y = conv_norm(y, {.out = width, .kernel = 3, .stride = stride, .pad = 1, .name = name + ".conv2"}, name + ".bn2");
  y = relu(y, {.name = name + ".relu2"});
  y = conv_norm(y, {.out = kExpansion * width, .name = name + ".conv3"}, name + ".bn3");
  return join(y, x, block, ".relu3");
}

Value resnet_stem(Value x) {
  x = conv_norm(x, {.out = 64, .kernel = 7, .stride = 2, .pad = 3, .name = "conv1"}, "bn1");
  x = relu(x, {.name = "relu"});
  return max_pool(x, {.kernel = 3, .stride = 2, .pad = 1, .name = "maxpool"});
}

using ResNetDepths = std::array<int, 4>;  // blocks per stage

Graph resnet(Value (*block)(Value, const Block&), const ResNetDepths& depths, const ModelOptions& options) {
  Graph graph;
  Value x = resnet_stem(input(graph, options.input));
  for (int stage = 0; stage < 4; ++stage) {
    for (int i = 0; i < depths[stage]; ++i) {
      const int stride = stage > 0 && i == 0 ? 2 : 1;
      x = block(x, {.width = 64 << stage, .stride = stride, .name = fmt::format("layer{}.{}", stage + 1, i)});
    }
  }
  classify_average(x, "fc", 0, options);
  return graph;
}

}  // namespace

Graph resnet18(const ModelOptions& options) { return resnet(basic, {2, 2, 2, 2}, options); }

Graph resnet34(const ModelOptions& options) { return resnet(basic, {3, 4, 6, 3}, options); }

Graph resnet50(const ModelOptions& options) { return resnet(bottleneck, {3, 4, 6, 3}, options); }

Graph resnet101(const ModelOptions& options) { return resnet(bottleneck, {3, 4, 23, 3}, options); }

Graph resnet152(const ModelOptions& options) { return resnet(bottleneck, {3, 8, 36, 3}, options); }

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
