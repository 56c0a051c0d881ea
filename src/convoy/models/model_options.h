// What can be chosen about a network of the zoo.
#pragma once

#include "convoy/graph/graph.h"

namespace convoy {

struct ModelOptions {
  Shape input;      // one image, CxHxW; empty: the model's own size
  int classes = 0;  // 0: the model's own number
  // The share of the target spread evenly over all classes, in [0, 1).
  float label_smoothing = 0.0F;
};

}  // namespace convoy
