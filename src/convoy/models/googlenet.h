// GoogLeNet (Szegedy et al. 2014) and the modules it is made of.
#pragma once

#include <string>

#include "convoy/graph/builder.h"
#include "convoy/graph/graph.h"
#include "convoy/models/model_options.h"

namespace convoy {

// The inception module: four branches over one image, joined along the channels. The naive form shows what the 1x1
// reductions of the other save: 1x1, 3x3 and 5x5 convolutions and a 3x3 max pool side by side, where the pool
// passes all channels through.
Value inception_naive(Value x, const InceptionFilters& filters, const std::string& name);
Value inception_reduced(Value x, const InceptionFilters& filters, const std::string& name);

// One module alone, with the filters of the options, to compare their cost. They have no classes, no loss.
[[nodiscard]] Graph inception_naive_module(const ModelOptions& options);
[[nodiscard]] Graph inception_reduced_module(const ModelOptions& options);

// The whole network, without the auxiliary heads; pooling sizes round up as in the published model.
[[nodiscard]] Graph googlenet(const ModelOptions& options);

}  // namespace convoy
