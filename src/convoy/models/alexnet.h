// AlexNet (Krizhevsky et al. 2012) in two forms.
#pragma once

#include "convoy/graph/graph.h"
#include "convoy/models/model_options.h"

namespace convoy {

// One tower with padded convolutions and no normalisation, as CNTK's examples train it.
[[nodiscard]] Graph alexnet(const ModelOptions& options);

// The paper's: two towers as groups in convolutions 2, 4 and 5, local response normalisation, overlapping pools.
[[nodiscard]] Graph alexnet2012(const ModelOptions& options);

}  // namespace convoy
