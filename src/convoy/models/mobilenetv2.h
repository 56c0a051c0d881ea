// MobileNetV2 (Sandler et al. 2018) at width 1: inverted residuals with linear bottlenecks, torchvision's names.
#pragma once

#include "convoy/graph/graph.h"
#include "convoy/models/model_options.h"

namespace convoy {

[[nodiscard]] Graph mobilenetv2(const ModelOptions& options);

}  // namespace convoy
