// GoogLeNet (Szegedy et al. 2014) and the modules it is made of.
#pragma once

#include <string>

#include "convoy/graph/builder.h"
#include "convoy/graph/graph.h"
#include "convoy/models/model_options.h"

namespace convoy {

// The inception module: four branches over one image, joined along the channels. The naive
// form shows what the 1x1 reductions of the other save.
struct NaiveFilters {
  int one = 0;
  int three = 0;
  int five = 0;
};

struct ReducedFilters {
  int one = 0;
  int three_reduce = 0;  // 1x1 before the 3x3
  int three = 0;
  int five_reduce = 0;  // 1x1 before the 5x5
  int five = 0;
  int pool = 0;  // 1x1 after the pool
};

// 1x1, 3x3 and 5x5 convolutions and a 3x3 max pool side by side; the pool passes all channels through.
Value inception_naive(Value x, const NaiveFilters& filters, const std::string& name);
Value inception_reduced(Value x, const ReducedFilters& filters, const std::string& name);

// One module alone (128, 192 and 96 filters; reductions to 64), to compare their cost. They have no classes, no loss.
[[nodiscard]] Graph inception_naive_module(const ModelOptions& options);
[[nodiscard]] Graph inception_reduced_module(const ModelOptions& options);

// The whole network, without the auxiliary heads; pooling sizes round up as in the published model.
[[nodiscard]] Graph googlenet(const ModelOptions& options);

}  // namespace convoy
