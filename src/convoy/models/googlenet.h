// GoogLeNet (Szegedy et al. 2014) and its modules.
#pragma once

#include <string>

#include "convoy/graph/builder.h"
#include "convoy/graph/graph.h"
#include "convoy/models/model_options.h"

namespace convoy {

// The inception module: four branches over one image, joined along the channels. The naive form has 1x1, 3x3 and 5x5
// convolutions and a 3x3 max pooling, which passes all channels through. The reduced form adds 1x1 convolutions that
// reduce the channels; comparing the two shows what these save.
Value inception_naive(Value x, const InceptionFilters& filters, const std::string& name);
Value inception_reduced(Value x, const InceptionFilters& filters, const std::string& name);

// A network of one module alone, with the filters of the options, to compare their costs. It has no classes and no
// loss.
[[nodiscard]] Graph inception_naive_module(const ModelOptions& options);
[[nodiscard]] Graph inception_reduced_module(const ModelOptions& options);

// The whole network, without the auxiliary heads; pooling sizes round up as in the published model.
[[nodiscard]] Graph googlenet(const ModelOptions& options);

}  // namespace convoy
