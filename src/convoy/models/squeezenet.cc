#include "convoy/models/families.h"

#include <array>
#include <string>

#include "convoy/graph/builder.h"
#include "convoy/models/layers.h"

namespace convoy {
namespace {

// Reduces the channels to `squeeze`, then expands them in two branches of four times that width each.
Value fire(Value x, int squeeze, const std::string& name) {
  x = conv_relu(x, squeeze, 1, name + ".squeeze");
  const Value one = conv_relu(x, 4 * squeeze, 1, name + ".expand1x1");
  const Value three = conv_relu(x, 4 * squeeze, 3, name + ".expand3x3");
  return concat({one, three}, {.name = name + ".concat"});
}

constexpr int kPool = 0;
// What follows the first convolution: poolings, and fire modules by their squeeze widths.
constexpr std::array kFeatures = {kPool, 16, 16, kPool, 32, 32, kPool, 48, 48, 64, 64};

}  // namespace

Graph squeezenet1_1(const ModelOptions& options) {
  Graph graph;
  int index = 0;
  const auto next_name = [&] { return "features." + std::to_string(index++); };
  Value x = input(graph, options.input);
  x = conv(x, {.out = 64, .kernel = 3, .stride = 2, .name = next_name()});
  x = relu(x, {.name = next_name()});
  for (const int squeeze : kFeatures) {
    const std::string name = next_name();
    x = squeeze == kPool ? max_pool(x, {.kernel = 3, .stride = 2, .ceil = true, .name = name}) : fire(x, squeeze, name);
  }
  x = dropout(x, {.rate = 0.5F, .name = "classifier.0"});
  x = relu(conv(x, {.out = options.classes, .name = "classifier.1"}), {.name = "classifier.2"});
  x = global_average_pool(x, {.name = "classifier.3"});
  classify(flatten(x, {.name = "flatten"}), options);
  return graph;
}

}  // namespace convoy
