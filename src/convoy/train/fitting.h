// Whether a network and its data belong together.
#pragma once

#include "convoy/data/source/source.h"
#include "convoy/graph/graph.h"

namespace convoy {

// How many classes the network tells apart: the scores that its loss reads, or that it ends with.
[[nodiscard]] std::int64_t classes_of(const Graph& graph);

// Throws UserError with layer and shapes unless the source's images fit the graph's input, or are as many numbers as
// its row, and every class of the source has a score.
void require_fitting(const Graph& graph, const data::Source& source);

}  // namespace convoy
