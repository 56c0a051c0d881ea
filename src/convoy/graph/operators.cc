#include "convoy/graph/operators.h"

#include <array>

namespace convoy {

const char* kind_of(const Operator& op) {
  // In the order of the variant's alternatives.
  constexpr std::array kKinds = {"input",
                                 "conv",
                                 "dense",
                                 "batch_norm",
                                 "group_norm",
                                 "layer_norm",
                                 "relu",
                                 "relu6",
                                 "sigmoid",
                                 "tanh",
                                 "softmax",
                                 "max_pool",
                                 "average_pool",
                                 "global_average_pool",
                                 "add",
                                 "concat",
                                 "pad_channels",
                                 "dropout",
                                 "lrn",
                                 "flatten",
                                 "softmax_cross_entropy",
                                 "mean_squared_error"};
  static_assert(kKinds.size() == std::variant_size_v<Operator>);
  return kKinds[op.index()];
}

bool is_loss(const Operator& op) {
  return std::holds_alternative<op::SoftmaxCrossEntropy>(op) || std::holds_alternative<op::MeanSquaredError>(op);
}

}  // namespace convoy
