#include "convoy/models/layers.h"

namespace convoy {

void classify(Value logits, const ModelOptions& options) {
  switch (options.loss) {
    case Loss::cross_entropy:
      softmax_cross_entropy(logits, {.label_smoothing = options.label_smoothing, .name = "loss"});
      return;
    case Loss::mean_squared_error:
      mean_squared_error(logits, {.name = "loss"});
      return;
  }
}

void classify_dense(Value x, const DenseNames& names, const ModelOptions& options) {
  constexpr int kWidth = 4096;
  x = flatten(x, {.name = "flatten"});
  for (const std::string& name : {names.first, names.second}) {
    x = relu(dense(x, {.out = kWidth, .name = name}), {.name = name + ".relu"});
    x = dropout(x, {.rate = 0.5F, .name = name + ".dropout"});
  }
  classify(dense(x, {.out = options.classes, .name = names.third}), options);
}

void classify_average(Value x, const std::string& dense_name, float dropout_rate, const ModelOptions& options) {
  x = flatten(global_average_pool(x, {.name = "avgpool"}), {.name = "flatten"});
  if (dropout_rate > 0) {
    x = dropout(x, {.rate = dropout_rate, .name = "dropout"});
  }
  classify(dense(x, {.out = options.classes, .name = dense_name}), options);
}

}  // namespace convoy
