#include "convoy/models/inception_modules.h"

#include "convoy/models/layers.h"

namespace convoy {
namespace {

Value pool3x3(Value x, const std::string& name) { return max_pool(x, {.kernel = 3, .pad = 1, .name = name}); }

}  // namespace

Value inception_naive(Value x, const NaiveFilters& filters, const std::string& name) {
  const Value one = conv_relu(x, filters.one, 1, name + ".conv1x1");
  const Value three = conv_relu(x, filters.three, 3, name + ".conv3x3");
  const Value five = conv_relu(x, filters.five, 5, name + ".conv5x5");
  const Value pool = pool3x3(x, name + ".pool");
  return concat({one, three, five, pool}, {.name = name + ".concat"});
}

Value inception_reduced(Value x, const ReducedFilters& filters, const std::string& name) {
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
  inception_naive(input(graph, options.input), {.one = 128, .three = 192, .five = 96}, "inception");
  return graph;
}

Graph inception_reduced_module(const ModelOptions& options) {
  Graph graph;
  inception_reduced(input(graph, options.input),
                    {.one = 128, .three_reduce = 64, .three = 192, .five_reduce = 64, .five = 96, .pool = 64},
                    "inception");
  return graph;
}

}  // namespace convoy
