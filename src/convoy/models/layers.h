// Layers that several families are made of.
#pragma once

#include <string>

#include "convoy/graph/builder.h"

namespace convoy {

// A square convolution that keeps the image's size, with its ReLU.
[[nodiscard]] inline Value conv_relu(Value x, int out, int kernel, const std::string& name) {
  x = conv(x, {.out = out, .kernel = kernel, .pad = kernel / 2, .name = name});
  return relu(x, {.name = name + ".relu"});
}

}  // namespace convoy
