#include "convoy/graph/builder.h"

#include <utility>

#include "convoy/base/error.h"

namespace convoy {
namespace {

Value append(const Value& x, Operator op) { return {x.graph(), x.graph().add(std::move(op), {x.id()})}; }

// All inputs of a layer must be in one graph.
void require_same_graph(const char* what, const Value& a, const Value& b) {
  if (&a.graph() == &b.graph()) return;
  throw UserError("{} reads \"{}\" ({}) and \"{}\" ({}), which belong to two graphs", what,
                  a.graph().layer(a.id()).name, a.shape().to_string(), b.graph().layer(b.id()).name,
                  b.shape().to_string());
}

}  // namespace

Value input(Graph& graph, Shape shape, std::string name) {
  return {graph, graph.add(op::Input{std::move(shape)}, {}, std::move(name))};
}

Value conv(Value x, op::Convolution attributes) { return append(x, std::move(attributes)); }

Value dense(Value x, op::Dense attributes) { return append(x, std::move(attributes)); }

Value batch_norm(Value x, op::BatchNorm attributes) { return append(x, std::move(attributes)); }

Value relu(Value x, op::Relu attributes) { return append(x, std::move(attributes)); }

Value group_norm(Value x, op::GroupNorm attributes) { return append(x, std::move(attributes)); }

Value layer_norm(Value x, op::LayerNorm attributes) { return append(x, std::move(attributes)); }

Value relu6(Value x, op::Relu6 attributes) { return append(x, std::move(attributes)); }

Value sigmoid(Value x, op::Sigmoid attributes) { return append(x, std::move(attributes)); }

Value tanh(Value x, op::Tanh attributes) { return append(x, std::move(attributes)); }

Value softmax(Value x, op::Softmax attributes) { return append(x, std::move(attributes)); }

Value max_pool(Value x, op::MaxPool attributes) { return append(x, std::move(attributes)); }

Value average_pool(Value x, op::AveragePool attributes) { return append(x, std::move(attributes)); }

Value global_average_pool(Value x, op::GlobalAveragePool attributes) { return append(x, std::move(attributes)); }

Value add(Value a, Value b, op::Add attributes) {
  require_same_graph("add", a, b);
  return {a.graph(), a.graph().add(std::move(attributes), {a.id(), b.id()})};
}

Value concat(const std::vector<Value>& inputs, op::Concat attributes) {
  if (inputs.empty()) throw UserError("concat needs at least one input");
  Graph& graph = inputs.front().graph();
  std::vector<LayerId> ids;
  for (const Value& input : inputs) {
    require_same_graph("concat", inputs.front(), input);
    ids.push_back(input.id());
  }
  return {graph, graph.add(std::move(attributes), std::move(ids))};
}

Value pad_channels(Value x, op::PadChannels attributes) { return append(x, std::move(attributes)); }

Value dropout(Value x, op::Dropout attributes) { return append(x, std::move(attributes)); }

Value lrn(Value x, op::Lrn attributes) { return append(x, std::move(attributes)); }

Value flatten(Value x, op::Flatten attributes) { return append(x, std::move(attributes)); }

Value softmax_cross_entropy(Value logits, op::SoftmaxCrossEntropy attributes) {
  return append(logits, std::move(attributes));
}

Value mean_squared_error(Value x, op::MeanSquaredError attributes) { return append(x, std::move(attributes)); }

}  // namespace convoy
