// SqueezeNet 1.1 (Iandola et al. 2016): fire modules and a convolutional classifier, torchvision's names.
#pragma once

#include "convoy/graph/graph.h"
#include "convoy/models/model_options.h"

namespace convoy {

[[nodiscard]] Graph squeezenet1_1(const ModelOptions& options);

}  // namespace convoy
