// Layers and classifier ends that several families share.
#pragma once

#include <string>

#include "convoy/graph/builder.h"
#include "convoy/models/model_options.h"

namespace convoy {

// A square convolution that keeps the image's size, followed by ReLU.
[[nodiscard]] inline Value conv_relu(Value x, int out, int kernel, const std::string& name) {
  x = conv(x, {.out = out, .kernel = kernel, .pad = kernel / 2, .name = name});
  return relu(x, {.name = name + ".relu"});
}

// The loss on the class scores: the last layer of every classifier.
void classify(Value logits, const ModelOptions& options);

// Names of the three dense layers of classify_dense.
struct DenseNames {
  std::string first;
  std::string second;
  std::string third;
};

// Two dense layers of 4096 with ReLU and dropout 0.5, then the scores: the end of AlexNet and VGG.
void classify_dense(Value x, const DenseNames& names, const ModelOptions& options);

// The average over the image, dropout unless its rate is zero, then one dense layer for the scores.
void classify_average(Value x, const std::string& dense_name, float dropout_rate, const ModelOptions& options);

}  // namespace convoy
