// What ranks on different nodes should exchange for dense layers (dense_exchange.h).
#pragma once

#include <cstdint>
#include <string>

#include "convoy/graph/graph.h"

namespace convoy {

struct DenseExchangeOptions {
  // "gradients"; "factors" for all dense layers; "auto", whichever takes less time; or the names of layers that
  // exchange factors, separated by commas, as a decision is saved.
  std::string how = "gradients";
  std::int64_t rows = 0;  // of a step, over all ranks
};

// Throws UserError for a name that is not a dense layer's.
void check_options(const DenseExchangeOptions& options, const Graph& graph);

}  // namespace convoy
