#include "convoy/models/families.h"

#include <string>
#include <utility>

#include "convoy/graph/builder.h"
#include "convoy/models/layers.h"

namespace convoy {
namespace {

// Convolution number `number` with its ReLU.
Value conv_relu(Value x, int number, op::Convolution attributes) {
  attributes.name = "conv" + std::to_string(number);
  return relu(conv(x, std::move(attributes)), {.name = "relu" + std::to_string(number)});
}

// The paper does not divide the sum of squares by the window's size as op::Lrn does; hence 5 times its alpha.
Value normalise(Value x, const char* name) {
  return lrn(x, {.size = 5, .alpha = 5e-4F, .beta = 0.75F, .k = 2.0F, .name = name});
}

}  // namespace

Graph alexnet(const ModelOptions& options) {
  Graph graph;
  const auto pool = [](Value x, const char* name) {
    return max_pool(x, {.kernel = 3, .stride = 2, .pad = 1, .name = name});
  };
  Value x = input(graph, options.input);
  x = pool(conv_relu(x, 1, {.out = 96, .kernel = 11, .stride = 4, .pad = 5}), "pool1");
  x = pool(conv_relu(x, 2, {.out = 192, .kernel = 5, .pad = 2}), "pool2");
  x = conv_relu(x, 3, {.out = 384, .kernel = 3, .pad = 1});
  x = conv_relu(x, 4, {.out = 384, .kernel = 3, .pad = 1});
  x = pool(conv_relu(x, 5, {.out = 256, .kernel = 3, .pad = 1}), "pool5");
  classify_dense(x, {"fc6", "fc7", "fc8"}, options);
  return graph;
}

Graph alexnet2012(const ModelOptions& options) {
  Graph graph;
  const auto pool = [](Value x, const char* name) { return max_pool(x, {.kernel = 3, .stride = 2, .name = name}); };
  Value x = input(graph, options.input);
  x = conv_relu(x, 1, {.out = 96, .kernel = 11, .stride = 4});
  x = pool(normalise(x, "norm1"), "pool1");
  x = conv_relu(x, 2, {.out = 256, .kernel = 5, .pad = 2, .groups = 2});
  x = pool(normalise(x, "norm2"), "pool2");
  x = conv_relu(x, 3, {.out = 384, .kernel = 3, .pad = 1});
  x = conv_relu(x, 4, {.out = 384, .kernel = 3, .pad = 1, .groups = 2});
  x = pool(conv_relu(x, 5, {.out = 256, .kernel = 3, .pad = 1, .groups = 2}), "pool5");
  classify_dense(x, {"fc6", "fc7", "fc8"}, options);
  return graph;
}

Graph alexnet_cifar(const ModelOptions& options) {
  Graph graph;
  const op::Convolution window{.out = 32, .kernel = 5, .pad = 2};
  const auto normalise_three = [](Value x, const char* name) {
    return lrn(x, {.size = 3, .alpha = 5e-5F, .beta = 0.75F, .name = name});
  };
  Value x = conv(input(graph, options.input), {.out = 32, .kernel = 5, .pad = 2, .name = "conv1"});
  x = relu(max_pool(x, {.kernel = 3, .stride = 2, .ceil = true, .name = "pool1"}), {.name = "relu1"});
  x = conv_relu(normalise_three(x, "norm1"), 2, window);
  // There is no padding, so count_padding makes no difference; ONNX can only express it as false.
  x = average_pool(x, {.kernel = 3, .stride = 2, .ceil = true, .count_padding = false, .name = "pool2"});
  x = conv_relu(normalise_three(x, "norm2"), 3, {.out = 64, .kernel = 5, .pad = 2});
  x = average_pool(x, {.kernel = 3, .stride = 2, .ceil = true, .count_padding = false, .name = "pool3"});
  classify(dense(flatten(x, {.name = "flatten"}), {.out = options.classes, .name = "fc"}), options);
  return graph;
}

}  // namespace convoy
