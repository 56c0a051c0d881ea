#include "convoy/graph/analysis.h"

#include <algorithm>
#include <variant>

#include "convoy/graph/parameters.h"

namespace convoy {
namespace {

const Shape& input_shape(const Graph& graph, const Layer& layer) { return graph.layer(layer.inputs[0]).shape; }

void count_parameters(const Graph& graph, LayerAnalysis& result) {
  for (const Parameter& parameter : parameters_of(graph, result.layer)) {
    const bool weight = parameter.role == ParameterRole::weight || parameter.role == ParameterRole::scale;
    (weight ? result.weights : result.biases) += parameter.shape.count();
    ++result.tensors;
  }
}

std::int64_t multiply_adds_of(const Graph& graph, const Layer& layer) {
  if (const auto* convolution = std::get_if<op::Convolution>(&layer.op)) {
    const std::int64_t per_output =
        input_shape(graph, layer)[0] / convolution->groups * convolution->kernel.h * convolution->kernel.w;
    return layer.shape.count() * per_output;
  }
  if (std::holds_alternative<op::Dense>(layer.op)) {
    return layer.shape.count() * input_shape(graph, layer).count();
  }
  return 0;
}

bool counts_in_papers(const Operator& op) {
  return !is_loss(op) && !is_one_of<op::Relu, op::Relu6, op::Sigmoid, op::Tanh, op::Softmax, op::BatchNorm,
                                    op::GroupNorm, op::LayerNorm, op::Dropout, op::Flatten, op::Concat>(op);
}

// Along one axis: how many input pixels one output pixel of a layer depends on (`size`), and how many input pixels
// apart the views of neighbouring output pixels are.
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

View wider(View a, View b) { return {std::max(a.size, b.size), std::max(a.step, b.step)}; }

// How an operator enlarges the view of its inputs; `image` is the view of a whole input image.
class Widen {
 public:
  Widen(Views& views, const Views& image) : views_(views), image_(image) {}

  void operator()(const op::Convolution& op) { slide(views_, op.kernel, op.dilation, op.stride); }
  void operator()(const op::MaxPool& op) { slide(views_, op.kernel, 1, op.stride); }
  void operator()(const op::AveragePool& op) { slide(views_, op.kernel, 1, op.stride); }
  void operator()(const op::PadChannels& op) { slide(views_, 1, 1, op.stride); }
  void operator()(const op::Dense&) { see_everything(); }
  void operator()(const op::GlobalAveragePool&) { see_everything(); }

  template <typename Op>
  void operator()(const Op&) {}

 private:
  void see_everything() { views_ = {wider(views_.h, image_.h), wider(views_.w, image_.w)}; }

  Views& views_;
  const Views& image_;
};

std::vector<Views> views_of(const Graph& graph) {
  std::vector<Views> all;
  Views image;
  for (const Layer& layer : graph.layers()) {
    if (std::holds_alternative<op::Input>(layer.op) && layer.shape.rank() == 3) {
      image = {{layer.shape[1], layer.shape[1]}, {layer.shape[2], layer.shape[2]}};
    }
    Views views;
    for (const LayerId input : layer.inputs) {
      const Views& seen = all[input];
      views = {wider(views.h, seen.h), wider(views.w, seen.w)};
    }
    std::visit(Widen(views, image), layer.op);
    all.push_back(views);
  }
  return all;
}

void add_to_totals(const LayerAnalysis& layer, bool is_input, Analysis& totals) {
  totals.activations += is_input ? 0 : layer.activations;
  totals.counted_activations += layer.counted_activations;
  totals.weights += layer.weights;
  totals.biases += layer.biases;
  totals.tensors += layer.tensors;
  totals.multiply_adds += layer.multiply_adds;
}

}  // namespace

Analysis analyse(const Graph& graph) {
  Analysis analysis;
  const std::vector<Views> views = views_of(graph);
  for (LayerId id = 0; id < graph.size(); ++id) {
    const Layer& layer = graph.layer(id);
    const Views& seen = views[id];
    LayerAnalysis result{.layer = id, .activations = layer.shape.count()};
    result.counted_activations = counts_in_papers(layer.op) ? result.activations : 0;
    count_parameters(graph, result);
    result.multiply_adds = multiply_adds_of(graph, layer);
    result.receptive_height = seen.h.size;
    result.receptive_width = seen.w.size;
    add_to_totals(result, std::holds_alternative<op::Input>(layer.op), analysis);
    analysis.layers.push_back(result);
  }
  return analysis;
}

}  // namespace convoy
