#include "convoy/models/families.h"

#include "convoy/graph/builder.h"
#include "convoy/models/layers.h"

namespace convoy {

Graph lenet(const ModelOptions& options) {
  Graph graph;
  Value x = input(graph, options.input);
  x = relu(conv(x, {.out = 32, .kernel = 5, .pad = 2, .name = "conv1"}), {.name = "relu1"});
  x = max_pool(x, {.kernel = 2, .stride = 2, .name = "pool1"});
  x = relu(conv(x, {.out = 64, .kernel = 5, .pad = 2, .name = "conv2"}), {.name = "relu2"});
  x = max_pool(x, {.kernel = 2, .stride = 2, .name = "pool2"});
  x = flatten(x, {.name = "flatten"});
  x = relu(dense(x, {.out = 512, .name = "fc1"}), {.name = "relu3"});
  classify(dense(x, {.out = options.classes, .name = "fc2"}), options);
  return graph;
}

}  // namespace convoy
