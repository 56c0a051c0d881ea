// Which parameters training leaves as they are.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "convoy/graph/graph.h"

namespace convoy {

// For each parameter of the graph, in its order: whether it is frozen. Throws UserError for a name that is no
// parameter's, and for a batch norm of which only the scale or only the shift is named: frozen, it works with its
// running statistics, so there is nothing in between.
[[nodiscard]] std::vector<bool> frozen_parameters(const Graph& graph, const std::set<std::string>& names);

}  // namespace convoy
