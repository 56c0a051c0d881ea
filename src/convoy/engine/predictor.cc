#include "convoy/engine/predictor.h"

#include <algorithm>
#include <cmath>

namespace convoy {
namespace {

// The convolution into which a batch norm can be folded, or -1.
LayerId foldable_layer(const Graph& graph, const std::vector<std::vector<LayerId>>& readers, LayerId id) {
  const Layer& layer = graph.layer(id);
  if (!std::holds_alternative<op::BatchNorm>(layer.op)) return -1;
  const LayerId source = layer.inputs[0];
  const bool sole_reader = readers[static_cast<std::size_t>(source)].size() == 1;
  return sole_reader && std::holds_alternative<op::Convolution>(graph.layer(source).op) ? source : -1;
}

std::vector<float> trained_parameter(const ParameterStore& trained, const std::string& name) {
  return trained.plain_parameter(trained.table().find(name));
}

std::vector<float> trained_statistics(const ParameterStore& trained, const std::string& name) {
  return trained.plain_statistics(trained.table().find_statistics(name));
}

bool has_parameter(const ParameterTable& table, const std::string& name) {
  return std::any_of(table.entries.begin(), table.entries.end(),
                     [&](const ParameterEntry& entry) { return entry.parameter.name == name; });
}

// y = s (W x + b - mean) + shift with s = scale / deviation, so W' = s W and b' = s (b - mean) + shift.
void fold_layer(const ParameterStore& trained, const FoldedGraph::Fold& fold, ParameterStore& target) {
  auto weights = trained_parameter(trained, fold.layer + ".weight");
  const auto scale = trained_parameter(trained, fold.batch_norm + ".weight");
  const auto shift = trained_parameter(trained, fold.batch_norm + ".bias");
  const auto mean = trained_statistics(trained, fold.batch_norm + ".running_mean");
  const auto variance = trained_statistics(trained, fold.batch_norm + ".running_var");
  std::vector<float> bias(scale.size(), 0.0F);
  if (has_parameter(trained.table(), fold.layer + ".bias")) bias = trained_parameter(trained, fold.layer + ".bias");
  const std::size_t per_channel = weights.size() / scale.size();
  for (std::size_t c = 0; c < scale.size(); ++c) {
    const float s = scale[c] / std::sqrt(variance[c] + fold.epsilon);
    bias[c] = s * (bias[c] - mean[c]) + shift[c];
    for (std::size_t i = 0; i < per_channel; ++i) weights[c * per_channel + i] *= s;
  }
  target.set_parameter(target.table().find(fold.layer + ".weight"), weights);
  target.set_parameter(target.table().find(fold.layer + ".bias"), bias);
}

}  // namespace

FoldedGraph fold_batch_norm(const Graph& graph) {
  FoldedGraph folded;
  const auto readers = graph.readers();
  std::vector<LayerId> now(static_cast<std::size_t>(graph.size()), -1);  // old layer -> new layer
  for (LayerId id = 0; id < graph.size(); ++id) {
    const Layer& layer = graph.layer(id);
    std::vector<LayerId> inputs;
    for (const LayerId input : layer.inputs) inputs.push_back(now[static_cast<std::size_t>(input)]);
    const LayerId folded_into = foldable_layer(graph, readers, id);
    if (folded_into >= 0 || std::holds_alternative<op::Dropout>(layer.op)) {
      now[static_cast<std::size_t>(id)] = inputs[0];
      if (folded_into >= 0) {
        folded.folds.push_back({graph.layer(folded_into).name, layer.name, std::get<op::BatchNorm>(layer.op).epsilon});
      }
      continue;
    }
    Operator op = layer.op;
    const auto& reading = readers[static_cast<std::size_t>(id)];
    if (auto* conv = std::get_if<op::Convolution>(&op)) {
      conv->bias = conv->bias || (reading.size() == 1 && foldable_layer(graph, readers, reading[0]) == id);
    }
    now[static_cast<std::size_t>(id)] = folded.graph.add(std::move(op), std::move(inputs), layer.name);
  }
  return folded;
}

void fold_parameters(const ParameterStore& trained, const FoldedGraph& folded, ParameterStore& target) {
  const ParameterTable& table = target.table();
  const auto is_folded = [&](const std::string& layer) {
    return std::any_of(folded.folds.begin(), folded.folds.end(),
                       [&](const FoldedGraph::Fold& fold) { return fold.layer == layer; });
  };
  for (std::size_t i = 0; i < table.entries.size(); ++i) {
    const Parameter& parameter = table.entries[i].parameter;
    if (is_folded(folded.graph.layer(parameter.layer).name)) continue;
    target.set_parameter(static_cast<int>(i), trained_parameter(trained, parameter.name));
  }
  for (const auto& fold : folded.folds) fold_layer(trained, fold, target);
  for (std::size_t i = 0; i < table.statistics.size(); ++i) {
    target.set_statistics(static_cast<int>(i), trained_statistics(trained, table.statistics[i].name));
  }
}

namespace {

CompileOptions for_prediction(CompileOptions options) {
  options.training = false;
  options.frozen.clear();
  return options;
}

}  // namespace

Predictor::Predictor(const Graph& graph, CompileOptions options)
    : folded_(fold_batch_norm(graph)), network_(folded_.graph, for_prediction(std::move(options))) {}

void Predictor::load(const ParameterStore& trained) { fold_parameters(trained, folded_, network_.parameters()); }

}  // namespace convoy
