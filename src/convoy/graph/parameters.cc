#include "convoy/graph/parameters.h"

#include <utility>

namespace convoy {
namespace {

const Shape& input_shape(const Graph& graph, LayerId id) { return graph.layer(graph.layer(id).inputs[0]).shape; }

class Lister {
 public:
  Lister(const Graph& graph, LayerId id, std::vector<Parameter>& out) : graph_(graph), id_(id), out_(out) {}

  void operator()(const op::Convolution& op) {
    const std::int64_t in = input_shape(graph_, id_)[0];
    list("weight", ParameterRole::weight, {op.out, in / op.groups, op.kernel.h, op.kernel.w});
    if (op.bias) {
      list("bias", ParameterRole::bias, {op.out});
    }
  }

  void operator()(const op::Dense& op) {
    list("weight", ParameterRole::weight, {op.out, input_shape(graph_, id_).count()});
    if (op.bias) {
      list("bias", ParameterRole::bias, {op.out});
    }
  }

  void operator()(const op::BatchNorm&) {
    const std::int64_t channels = graph_.layer(id_).shape[0];
    list("weight", ParameterRole::scale, {channels});
    list("bias", ParameterRole::shift, {channels});
  }

  void operator()(const op::GroupNorm&) {
    const std::int64_t channels = graph_.layer(id_).shape[0];
    list("weight", ParameterRole::scale, {channels});
    list("bias", ParameterRole::shift, {channels});
  }

  void operator()(const op::LayerNorm&) {
    list("weight", ParameterRole::scale, graph_.layer(id_).shape);
    list("bias", ParameterRole::shift, graph_.layer(id_).shape);
  }

  template <typename Op>
  void operator()(const Op&) {}

 private:
  void list(const char* suffix, ParameterRole role, Shape shape) {
    out_.push_back({graph_.layer(id_).name + "." + suffix, id_, role, std::move(shape)});
  }

  const Graph& graph_;
  LayerId id_;
  std::vector<Parameter>& out_;
};

}  // namespace

std::vector<Parameter> parameters_of(const Graph& graph) {
  std::vector<Parameter> parameters;
  for (LayerId id = 0; id < graph.size(); ++id) {
    std::visit(Lister(graph, id, parameters), graph.layer(id).op);
  }
  return parameters;
}

std::vector<Parameter> parameters_of(const Graph& graph, LayerId layer) {
  std::vector<Parameter> parameters;
  std::visit(Lister(graph, layer, parameters), graph.layer(layer).op);
  return parameters;
}

}  // namespace convoy
