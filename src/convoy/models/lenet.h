// LeNet in the wide form of today's MNIST tutorials: two 5x5 convolutions (32 and 64) and a dense layer of 512.
#pragma once

#include "convoy/graph/graph.h"
#include "convoy/models/model_options.h"

namespace convoy {

[[nodiscard]] Graph lenet(const ModelOptions& options);

}  // namespace convoy
