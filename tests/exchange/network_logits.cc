#include "network_logits.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "convoy/engine/predictor.h"
#include "convoy/graph/parameters.h"
#include "convoy/run/trained_model.h"
#include "convoy/train/network_weights.h"

namespace convoy {
namespace {

Graph with_loss(Graph graph) {
  if (is_loss(graph.layers().back().op)) return graph;
  if (graph.layers().back().shape.rank() != 1) graph.add(op::Flatten{}, {graph.output()}, "probe.flatten");
  graph.add(op::SoftmaxCrossEntropy{}, {graph.output()}, "probe.loss");
  return graph;
}

// Uniform in [-1, 1), and the same on every machine.
class Numbers {
 public:
  float next() {
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    return static_cast<float>(static_cast<double>(state_ >> 11U) / static_cast<double>(1ULL << 52U) - 1);
  }

 private:
  std::uint64_t state_ = 12345;
};

std::vector<float> numbers(Numbers& source, std::int64_t count, float middle, float spread) {
  std::vector<float> values(static_cast<std::size_t>(count));
  std::ranges::generate(values, [&] { return middle + spread * source.next(); });
  return values;
}

}  // namespace

std::vector<float> logits_of(const Graph& graph, std::span<const NamedTensor> weights, std::span<const float> input) {
  const Graph whole = with_loss(graph);
  const auto store = make_parameter_store(whole);
  import_weights(weights, *store);
  Choices choices;
  const FoldedGraph folded = fold_batch_norm(whole);  // the graph that is compiled has these layers
  for (const Layer& layer : folded.graph.layers()) {
    const std::string first(kFirstImplementation);
    choices[layer.name] = {first, first, first};
  }
  const std::int64_t batch = static_cast<std::int64_t>(input.size()) / whole.layer(0).shape.count();
  Predictor predictor(whole, {.batch = batch, .threads = 2, .choices = &choices});
  predictor.load(*store);
  std::ranges::copy(input, predictor.input().begin());
  std::ranges::fill(predictor.labels(), 0);
  predictor.forward();
  return {predictor.logits().begin(), predictor.logits().end()};
}

std::vector<NamedTensor> varied_weights(const Graph& graph) {
  Numbers source;
  std::vector<NamedTensor> tensors;
  for (const Parameter& parameter : parameters_of(graph)) {
    const std::int64_t count = parameter.shape.count();
    switch (parameter.role) {
      case ParameterRole::weight: {
        const std::int64_t inputs = count / parameter.shape[0];
        const auto fan_in = static_cast<float>(inputs);
        tensors.push_back({parameter.name, parameter.shape, numbers(source, count, 0, std::sqrt(6 / fan_in))});
        break;
      }
      case ParameterRole::bias:
        tensors.push_back({parameter.name, parameter.shape, numbers(source, count, 0, 0.1F)});
        break;
      case ParameterRole::scale: {
        tensors.push_back({parameter.name, parameter.shape, numbers(source, count, 1.2F, 0.3F)});
        const std::string layer = graph.layer(parameter.layer).name;
        tensors.push_back({layer + ".running_mean", parameter.shape, numbers(source, count, 0, 0.3F)});
        tensors.push_back({layer + ".running_var", parameter.shape, numbers(source, count, 1.2F, 0.5F)});
        break;
      }
      case ParameterRole::shift:
        tensors.push_back({parameter.name, parameter.shape, numbers(source, count, 0, 0.2F)});
        break;
    }
  }
  return tensors;
}

std::vector<float> varied_input(const Shape& shape, std::int64_t samples) {
  Numbers source;
  return numbers(source, samples * shape.count(), 0, 1);
}

}  // namespace convoy
