// GoogLeNet (Szegedy et al. 2014) without its auxiliary heads; pooling sizes round up as in the published model.
#pragma once

#include "convoy/graph/graph.h"
#include "convoy/models/model_options.h"

namespace convoy {

[[nodiscard]] Graph googlenet(const ModelOptions& options);

}  // namespace convoy
