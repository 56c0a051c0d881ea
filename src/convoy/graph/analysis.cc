#include "convoy/graph/analysis.h"

#include <algorithm>
#include <variant>

#include "convoy/graph/parameters.h"

namespace convoy {
namespace {

const Shape& input_shape(const Graph& graph, const Node& node) { return graph.node(node.inputs[0]).shape; }

void count_parameters(const Graph& graph, NodeAnalysis& result) {
  for (const Parameter& parameter : parameters_of(graph, result.node)) {
    const bool weight = parameter.role == ParameterRole::weight || parameter.role == ParameterRole::scale;
    (weight ? result.weights : result.biases) += parameter.shape.count();
    ++result.tensors;
  }
}

std::int64_t multiply_adds_of(const Graph& graph, const Node& node) {
  if (const auto* convolution = std::get_if<op::Convolution>(&node.op)) {
    const std::int64_t per_output =
        input_shape(graph, node)[0] / convolution->groups * convolution->kernel.h * convolution->kernel.w;
    return node.shape.count() * per_output;
  }
  if (std::holds_alternative<op::Dense>(node.op)) {
    return node.shape.count() * input_shape(graph, node).count();
  }
  return 0;
}

// What one output pixel of a node sees of the input along one axis, and how many input pixels lie between the views
// of neighbouring output pixels.
struct View {
  std::int64_t size = 1;
  std::int64_t step = 1;
};

struct Views {
  View h;
  View w;
};

void slide(View& view, int kernel, int dilation, int stride) {
  view.size += std::int64_t{dilation} * (kernel - 1) * view.step;
  view.step *= stride;
}

void slide(Views& views, Extent kernel, Extent dilation, Extent stride) {
  slide(views.h, kernel.h, dilation.h, stride.h);
  slide(views.w, kernel.w, dilation.w, stride.w);
}

// How an operator widens what its inputs see; `image` is the whole input.
class Widen {
 public:
  Widen(Views& views, const Views& image) : views_(views), image_(image) {}

  void operator()(const op::Convolution& op) { slide(views_, op.kernel, op.dilation, op.stride); }
  void operator()(const op::MaxPool& op) { slide(views_, op.kernel, 1, op.stride); }
  void operator()(const op::AveragePool& op) { slide(views_, op.kernel, 1, op.stride); }
  void operator()(const op::PadChannels& op) { slide(views_, 1, 1, op.stride); }
  void operator()(const op::Dense&) { views_ = image_; }
  void operator()(const op::GlobalAveragePool&) { views_ = image_; }

  template <typename Op>
  void operator()(const Op&) {}

 private:
  Views& views_;
  const Views& image_;
};

View wider(View a, View b) { return {std::max(a.size, b.size), std::max(a.step, b.step)}; }

std::vector<Views> views_of(const Graph& graph) {
  std::vector<Views> all;
  Views image;
  for (const Node& node : graph.nodes()) {
    if (std::holds_alternative<op::Input>(node.op) && node.shape.rank() == 3) {
      image = {{node.shape[1], node.shape[1]}, {node.shape[2], node.shape[2]}};
    }
    Views views;
    for (const NodeId input : node.inputs) {
      const Views& seen = all[input];
      views = {wider(views.h, seen.h), wider(views.w, seen.w)};
    }
    std::visit(Widen(views, image), node.op);
    all.push_back(views);
  }
  return all;
}

void add_to_totals(const NodeAnalysis& node, bool is_input, Analysis& totals) {
  totals.activations += is_input ? 0 : node.activations;
  totals.weights += node.weights;
  totals.biases += node.biases;
  totals.tensors += node.tensors;
  totals.multiply_adds += node.multiply_adds;
}

}  // namespace

Analysis analyse(const Graph& graph) {
  Analysis analysis;
  const std::vector<Views> views = views_of(graph);
  for (NodeId id = 0; id < graph.size(); ++id) {
    const Node& node = graph.node(id);
    const Views& seen = views[id];
    NodeAnalysis result{.node = id, .activations = node.shape.count()};
    count_parameters(graph, result);
    result.multiply_adds = multiply_adds_of(graph, node);
    result.receptive_height = seen.h.size;
    result.receptive_width = seen.w.size;
    add_to_totals(result, std::holds_alternative<op::Input>(node.op), analysis);
    analysis.nodes.push_back(result);
  }
  return analysis;
}

}  // namespace convoy
