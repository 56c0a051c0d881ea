// What ranks on different nodes exchange of dense layers (dense_exchange.h), as it was asked for.
#pragma once

#include <cstdint>
#include <string>

#include "convoy/graph/graph.h"

namespace convoy {

struct DenseExchangeOptions {
  // "gradients"; "factors" of all dense layers; "auto", whichever takes less time; or layers for factors, separated by
  // commas, as a decision is written down.
  std::string how = "gradients";
  std::int64_t rows = 0;  // of a step, over all ranks
};

// Throws UserError for a name that is no dense layer's.
void check_options(const DenseExchangeOptions& options, const Graph& graph);

}  // namespace convoy
