// ResNet for large images (He et al. 2015) with projection shortcuts, torchvision's strides and names.
#pragma once

#include "convoy/graph/graph.h"
#include "convoy/models/model_options.h"

namespace convoy {

// Two 3x3 convolutions a block.
[[nodiscard]] Graph resnet18(const ModelOptions& options);
[[nodiscard]] Graph resnet34(const ModelOptions& options);

// Bottleneck blocks; the 3x3 convolution carries the stride.
[[nodiscard]] Graph resnet50(const ModelOptions& options);
[[nodiscard]] Graph resnet101(const ModelOptions& options);
[[nodiscard]] Graph resnet152(const ModelOptions& options);

}  // namespace convoy
