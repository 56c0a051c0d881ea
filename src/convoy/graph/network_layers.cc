#include "convoy/graph/network_layers.h"

namespace convoy {

const std::vector<Operator>& operator_prototypes() {
  static const std::vector<Operator> all = {op::Convolution{},
                                            op::Dense{},
                                            op::BatchNorm{},
                                            op::GroupNorm{},
                                            op::LayerNorm{},
                                            op::Relu{},
                                            op::Relu6{},
                                            op::Sigmoid{},
                                            op::Tanh{},
                                            op::Softmax{},
                                            op::MaxPool{.kernel = 1},
                                            op::AveragePool{.kernel = 1},
                                            op::GlobalAveragePool{},
                                            op::Add{},
                                            op::Concat{},
                                            op::PadChannels{},
                                            op::Dropout{},
                                            op::Lrn{},
                                            op::Flatten{},
                                            op::SoftmaxCrossEntropy{},
                                            op::MeanSquaredError{}};
  return all;
}

std::vector<std::string> layer_kinds() {
  std::vector<std::string> kinds;
  for (const Operator& op : operator_prototypes()) kinds.emplace_back(kind_of(op));
  kinds.emplace_back(kLossKind);
  return kinds;
}

}  // namespace convoy
