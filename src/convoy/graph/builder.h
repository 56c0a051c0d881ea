// Writes graphs the way papers do:
//
//   Graph graph;
//   Value x = input(graph, {3, 32, 32});
//   x = relu(batch_norm(conv(x, {.out = 64, .kernel = 3, .pad = 1, .bias = false})));
//   softmax_cross_entropy(dense(flatten(x), {.out = 10}));
//
// Every call appends one layer and returns its output. Errors are those of Graph::add.
#pragma once

#include <string>
#include <vector>

#include "convoy/graph/graph.h"

namespace convoy {

// The output of a layer: what builder functions take and return.
class Value {
 public:
  Value(Graph& graph, LayerId id) : graph_(&graph), id_(id) {}

  [[nodiscard]] Graph& graph() const { return *graph_; }
  [[nodiscard]] LayerId id() const { return id_; }
  [[nodiscard]] const Shape& shape() const { return graph_->layer(id_).shape; }

 private:
  Graph* graph_;
  LayerId id_;
};

Value input(Graph& graph, Shape shape, std::string name = "input");
Value conv(Value x, op::Convolution attributes);
Value dense(Value x, op::Dense attributes);
Value batch_norm(Value x, op::BatchNorm attributes = {});
Value group_norm(Value x, op::GroupNorm attributes);
Value layer_norm(Value x, op::LayerNorm attributes = {});
Value relu(Value x, op::Relu attributes = {});
Value relu6(Value x, op::Relu6 attributes = {});
Value sigmoid(Value x, op::Sigmoid attributes = {});
Value tanh(Value x, op::Tanh attributes = {});
Value softmax(Value x, op::Softmax attributes = {});
Value max_pool(Value x, op::MaxPool attributes);
Value average_pool(Value x, op::AveragePool attributes);
Value global_average_pool(Value x, op::GlobalAveragePool attributes = {});
Value add(Value a, Value b, op::Add attributes = {});
Value concat(const std::vector<Value>& inputs, op::Concat attributes = {});
Value pad_channels(Value x, op::PadChannels attributes);
Value dropout(Value x, op::Dropout attributes = {});
Value lrn(Value x, op::Lrn attributes = {});
Value flatten(Value x, op::Flatten attributes = {});
Value softmax_cross_entropy(Value logits, op::SoftmaxCrossEntropy attributes = {});
Value mean_squared_error(Value x, op::MeanSquaredError attributes = {});

}  // namespace convoy
