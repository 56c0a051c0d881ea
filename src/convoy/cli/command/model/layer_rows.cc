#include "convoy/cli/command/model/layer_rows.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <algorithm>

#include <ranges>
#include <variant>

#include "convoy/base/number_text.h"
#include "convoy/graph/training_memory.h"

namespace convoy::cli {
namespace {

bool is_folded(const Operator& op) {
  return is_loss(op) ||
         is_one_of<op::Relu, op::Relu6, op::Sigmoid, op::Tanh, op::Softmax, op::Dropout, op::Flatten>(op);
}

std::string extent_text(Extent extent) {
  return extent.h == extent.w ? fmt::format("{}", extent.h) : fmt::format("{}x{}", extent.h, extent.w);
}

std::string padding_text(const Padding& pad) {
  const bool even = pad.top == pad.bottom && pad.left == pad.right;
  if (even) return extent_text({pad.top, pad.left});
  return fmt::format("{},{},{},{}", pad.top, pad.left, pad.bottom, pad.right);
}

template <typename Window>
void describe_window(const Window& window, LayerRow& row) {
  row.kernel = fmt::format("{}x{}", window.kernel.h, window.kernel.w);
  row.stride = extent_text(window.stride);
  row.pad = padding_text(window.pad);
}

// Height and width come first, as people write it: 7*7*512.
std::string product_text(const Shape& shape) {
  std::vector<std::int64_t> dims = shape.dims();
  std::rotate(dims.begin(), dims.begin() + 1, dims.end());
  return fmt::format("{}", fmt::join(dims, "*"));
}

// The shape that a layer reads; for a flattened image, that of the image.
const Shape& read_shape(const Graph& graph, LayerId id) {
  LayerId input = graph.layer(id).inputs[0];
  while (is_one_of<op::Flatten, op::Dropout>(graph.layer(input).op)) input = graph.layer(input).inputs[0];
  return graph.layer(input).shape;
}

std::string calculation_of(const Graph& graph, LayerId id) {
  const Layer& layer = graph.layer(id);
  if (const auto* convolution = std::get_if<op::Convolution>(&layer.op)) {
    return fmt::format("({}*{}*{})*{}", convolution->kernel.h, convolution->kernel.w,
                       read_shape(graph, id)[0] / convolution->groups, convolution->out);
  }
  if (const auto* dense = std::get_if<op::Dense>(&layer.op)) {
    const Shape& shape = read_shape(graph, id);
    return shape.count() == shape[0] ? fmt::format("{}*{}", shape[0], dense->out)
                                     : fmt::format("({})*{}", product_text(shape), dense->out);
  }
  return "";
}

// What a folded layer adds to the text of its row. Flattening computes nothing, and every network has a loss, so
// neither is mentioned.
std::string folded_text(const Operator& op) {
  return is_loss(op) || is_one_of<op::Flatten>(op) ? "" : fmt::format(" +{}", kind_of(op));
}

}  // namespace

LayerRow row_of(const Graph& graph, const LayerAnalysis& costs) {
  const Layer& layer = graph.layer(costs.layer);
  LayerRow row{.layer = costs.layer, .kind = kind_of(layer.op), .costs = costs};
  if (const auto* convolution = std::get_if<op::Convolution>(&layer.op)) {
    describe_window(*convolution, row);
    if (convolution->dilation != Extent(1)) row.kernel += " dilated " + extent_text(convolution->dilation);
    row.groups = fmt::format("{}", convolution->groups);
  } else if (const auto* max_pool = std::get_if<op::MaxPool>(&layer.op)) {
    describe_window(*max_pool, row);
  } else if (const auto* average_pool = std::get_if<op::AveragePool>(&layer.op)) {
    describe_window(*average_pool, row);
  }
  row.calculation = calculation_of(graph, costs.layer);
  return row;
}

std::vector<LayerRow> layer_rows(const Graph& graph, const Analysis& analysis) {
  const std::vector<std::int64_t> kept = kept_bytes(graph);
  std::vector<LayerRow> rows;
  std::vector<std::size_t> row_of_layer;
  for (const LayerAnalysis& costs : analysis.layers) {
    const Layer& layer = graph.layer(costs.layer);
    if (is_folded(layer.op)) {
      row_of_layer.push_back(row_of_layer[layer.inputs[0]]);
      rows[row_of_layer.back()].kind += folded_text(layer.op);
    } else {
      row_of_layer.push_back(rows.size());
      rows.push_back(row_of(graph, costs));
    }
    rows[row_of_layer.back()].kept_bytes += kept[costs.layer];
  }
  return rows;
}

std::string short_kind(const LayerRow& row) {
  if (row.kernel.empty()) return row.kind;
  const std::size_t end = row.kind.find(' ');
  std::string text = row.kind.substr(0, end) + ' ' + row.kernel;
  if (row.stride != "1") text += " /" + row.stride;
  if (row.pad != "0") text += " p" + row.pad;
  if (!row.groups.empty() && row.groups != "1") text += " g" + row.groups;
  return end == std::string::npos ? text : text + row.kind.substr(end);
}

}  // namespace convoy::cli
