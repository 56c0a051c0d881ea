#include "convoy/models/googlenet.h"

#include <array>

#include "convoy/graph/builder.h"
#include "convoy/models/layers.h"

namespace convoy {
namespace {

Value pool3x3(Value x, const std::string& name) { return max_pool(x, {.kernel = 3, .pad = 1, .name = name}); }

}  // namespace

Value inception_naive(Value x, const InceptionFilters& filters, const std::string& name) {
  const Value one = conv_relu(x, filters.one, 1, name + ".conv1x1");
  const Value three = conv_relu(x, filters.three, 3, name + ".conv3x3");
  const Value five = conv_relu(x, filters.five, 5, name + ".conv5x5");
  const Value pool = pool3x3(x, name + ".pool");
  return concat({one, three, five, pool}, {.name = name + ".concat"});
}

Value inception_reduced(Value x, const InceptionFilters& filters, const std::string& name) {
  const Value one = conv_relu(x, filters.one, 1, name + ".conv1x1");
  Value three = conv_relu(x, filters.three_reduce, 1, name + ".reduce3x3");
  three = conv_relu(three, filters.three, 3, name + ".conv3x3");
  Value five = conv_relu(x, filters.five_reduce, 1, name + ".reduce5x5");
  five = conv_relu(five, filters.five, 5, name + ".conv5x5");
  const Value pool = conv_relu(pool3x3(x, name + ".pool"), filters.pool, 1, name + ".project");
  return concat({one, three, five, pool}, {.name = name + ".concat"});
}

Graph inception_naive_module(const ModelOptions& options) {
  Graph graph;
  inception_naive(input(graph, options.input), options.filters, "inception");
  return graph;
}

Graph inception_reduced_module(const ModelOptions& options) {
  Graph graph;
  inception_reduced(input(graph, options.input), options.filters, "inception");
  return graph;
}

namespace {

Value pool(Value x, const char* name) { return max_pool(x, {.kernel = 3, .stride = 2, .ceil = true, .name = name}); }

Value googlenet_stem(Value x) {
  x = conv(x, {.out = 64, .kernel = 7, .stride = 2, .pad = 3, .name = "conv1"});
  x = pool(relu(x, {.name = "conv1.relu"}), "pool1");
  x = lrn(x, {.name = "norm1"});
  x = relu(conv(x, {.out = 64, .name = "conv2.reduce"}), {.name = "conv2.reduce.relu"});
  x = relu(conv(x, {.out = 192, .kernel = 3, .pad = 1, .name = "conv2"}), {.name = "conv2.relu"});
  return pool(lrn(x, {.name = "norm2"}), "pool2");
}

struct Module {
  const char* name;
  InceptionFilters filters;
};

constexpr std::array<Module, 2> kStage3 = {
    {{"inception3a", {64, 96, 128, 16, 32, 32}}, {"inception3b", {128, 128, 192, 32, 96, 64}}}};
constexpr std::array<Module, 5> kStage4 = {{{"inception4a", {192, 96, 208, 16, 48, 64}},
                                            {"inception4b", {160, 112, 224, 24, 64, 64}},
                                            {"inception4c", {128, 128, 256, 24, 64, 64}},
                                            {"inception4d", {112, 144, 288, 32, 64, 64}},
                                            {"inception4e", {256, 160, 320, 32, 128, 128}}}};
constexpr std::array<Module, 2> kStage5 = {
    {{"inception5a", {256, 160, 320, 32, 128, 128}}, {"inception5b", {384, 192, 384, 48, 128, 128}}}};

}  // namespace

Graph googlenet(const ModelOptions& options) {
  Graph graph;
  Value x = googlenet_stem(input(graph, options.input));
  for (const Module& module : kStage3) {
    x = inception_reduced(x, module.filters, module.name);
  }
  x = pool(x, "pool3");
  for (const Module& module : kStage4) {
    x = inception_reduced(x, module.filters, module.name);
  }
  x = pool(x, "pool4");
  for (const Module& module : kStage5) {
    x = inception_reduced(x, module.filters, module.name);
  }
  classify_average(x, "fc", 0.4F, options);
  return graph;
}

}  // namespace convoy
