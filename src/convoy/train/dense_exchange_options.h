// What ranks on different nodes should exchange for dense layers (dense_exchange.h).
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "convoy/graph/graph.h"
#include "convoy/train/dense_costs.h"

namespace convoy {

struct DenseExchangeOptions {
  // "gradients", "factors" or "activations" for all dense layers; "auto", whichever takes least time; or names of
  // layers separated by commas, as a decision is saved: "fc8,fc7=activations". Those without a way exchange factors,
  // and layers that are not named exchange gradients.
  std::string how = "gradients";
  std::int64_t rows = 0;   // of a step, over all ranks
  bool may_divide = true;  // whether "auto" may choose activations
};

// Throws UserError for a name that is not a dense layer's, and for a way that does not exist.
void check_options(const DenseExchangeOptions& options, const Graph& graph);

// What is said about a layer; no value if it is to be decided.
[[nodiscard]] std::optional<DenseWay> way_told(const DenseExchangeOptions& options, const std::string& layer);

// The same decisions as text, in the form of DenseExchangeOptions::how.
[[nodiscard]] std::string to_text(const std::vector<std::pair<std::string, DenseWay>>& decisions);

// The layers that may exchange activations between so many nodes. That needs their weights to be stored row by row.
[[nodiscard]] std::set<std::string> layers_to_divide(const DenseExchangeOptions& options, const Graph& graph,
                                                     int nodes);

}  // namespace convoy
