// Checks that a network and its data fit together.
#pragma once

#include "convoy/data/source/source.h"
#include "convoy/graph/graph.h"

namespace convoy {

// How many classes the network distinguishes: the scores that its loss reads, or its last output.
[[nodiscard]] std::int64_t classes_of(const Graph& graph);

// Throws UserError with layer and shapes unless the source's images have the shape of the graph's input (or as many
// numbers as its row) and every class of the source has a score.
void require_fitting(const Graph& graph, const data::Source& source);

}  // namespace convoy
