// The small ResNets that He et al. (2015) trained on CIFAR: 6n + 2 layers, shortcuts without parameters (option A).
#pragma once

#include "convoy/graph/graph.h"
#include "convoy/models/model_options.h"

namespace convoy {

// depth: 6n + 2, that is 20, 32, 44, 56, 110.
[[nodiscard]] Graph resnet_cifar(int depth, const ModelOptions& options);

}  // namespace convoy
