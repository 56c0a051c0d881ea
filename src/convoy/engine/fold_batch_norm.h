// Removes batch norm from a network that only predicts: behind a convolution it is nothing but other weights.
#pragma once

#include <string>
#include <vector>

#include "convoy/engine/parameter_store.h"
#include "convoy/graph/graph.h"

namespace convoy {

struct FoldedGraph {
  struct Fold {
    std::string layer;  // the convolution, which has a bias in the folded graph
    std::string batch_norm;
    float epsilon;
  };
  Graph graph;
  std::vector<Fold> folds;
};

// The graph without dropout and without every batch norm that alone reads a convolution. Names stay.
[[nodiscard]] FoldedGraph fold_batch_norm(const Graph& graph);

// Fills the parameters and statistics of a network of the folded graph from those of the graph it was made from.
void fold_parameters(const ParameterStore& trained, const FoldedGraph& folded, ParameterStore& target);

}  // namespace convoy
