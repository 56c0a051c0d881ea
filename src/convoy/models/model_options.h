// What can be chosen about a network of the zoo.
#pragma once

#include "convoy/graph/graph.h"
#include "convoy/models/loss.h"

namespace convoy {

struct ModelOptions {
  Shape input;      // one image, CxHxW; empty: the model's own size
  int classes = 0;  // 0: the model's own number
  Loss loss = Loss::cross_entropy;
  // The share of the target spread evenly over all classes, in [0, 1); of cross-entropy only.
  float label_smoothing = 0.0F;
};

}  // namespace convoy
