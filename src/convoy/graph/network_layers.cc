#include "convoy/graph/network_layers.h"

namespace convoy {

namespace {

// Appended one by one: for a single initialiser list the compiler would need minutes and gigabytes.
std::vector<Operator> make_prototypes() {
  std::vector<Operator> all;
  const auto add = [&](const auto& op) { all.emplace_back(op); };
  add(op::Convolution{});
  add(op::Dense{});
  add(op::BatchNorm{});
  add(op::GroupNorm{});
  add(op::LayerNorm{});
  add(op::Relu{});
  add(op::Relu6{});
  add(op::Sigmoid{});
  add(op::Tanh{});
  add(op::Softmax{});
  add(op::MaxPool{.kernel = 1});
  add(op::AveragePool{.kernel = 1});
  add(op::GlobalAveragePool{});
  add(op::Add{});
  add(op::Concat{});
  add(op::PadChannels{});
  add(op::Dropout{});
  add(op::Lrn{});
  add(op::Flatten{});
  add(op::SoftmaxCrossEntropy{});
  add(op::MeanSquaredError{});
  return all;
}

}  // namespace

const std::vector<Operator>& operator_prototypes() {
  static const std::vector<Operator> all = make_prototypes();
  return all;
}

std::vector<std::string> layer_kinds() {
  std::vector<std::string> kinds;
  for (const Operator& op : operator_prototypes()) kinds.emplace_back(kind_of(op));
  kinds.emplace_back(kLossKind);
  return kinds;
}

}  // namespace convoy
