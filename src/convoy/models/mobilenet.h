// MobileNet v1 (Howard et al. 2017) at width 1: depthwise separable convolutions.
#pragma once

#include "convoy/graph/graph.h"
#include "convoy/models/model_options.h"

namespace convoy {

[[nodiscard]] Graph mobilenet(const ModelOptions& options);

}  // namespace convoy
