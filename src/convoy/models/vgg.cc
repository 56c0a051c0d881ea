#include "convoy/models/families.h"

#include <array>
#include <string>

#include "convoy/graph/builder.h"
#include "convoy/models/layers.h"

namespace convoy {
namespace {

using VggDepths = std::array<int, 5>;  // convolutions before each pooling

Graph vgg(const VggDepths& depths, const ModelOptions& options) {
  constexpr std::array kWidths = {64, 128, 256, 512, 512};
  Graph graph;
  Value x = input(graph, options.input);
  int index = 0;
  const auto next_name = [&] { return "features." + std::to_string(index++); };
  for (std::size_t stage = 0; stage < depths.size(); ++stage) {
    for (int i = 0; i < depths[stage]; ++i) {
      x = conv(x, {.out = kWidths[stage], .kernel = 3, .pad = 1, .name = next_name()});
      x = relu(x, {.name = next_name()});
    }
    x = max_pool(x, {.kernel = 2, .stride = 2, .name = next_name()});
  }
  classify_dense(x, {"classifier.0", "classifier.3", "classifier.6"}, options);
  return graph;
}

}  // namespace

Graph vgg11(const ModelOptions& options) { return vgg({1, 1, 2, 2, 2}, options); }

Graph vgg13(const ModelOptions& options) { return vgg({2, 2, 2, 2, 2}, options); }

Graph vgg16(const ModelOptions& options) { return vgg({2, 2, 3, 3, 3}, options); }

Graph vgg19(const ModelOptions& options) { return vgg({2, 2, 4, 4, 4}, options); }

}  // namespace convoy
