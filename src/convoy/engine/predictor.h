// A network that only predicts: batch norm folded away, nothing kept for a backward pass.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "convoy/engine/network.h"
#include "convoy/engine/parameter_store.h"
#include "convoy/graph/graph.h"

namespace convoy {

// Removes batch norm from a network that only predicts: behind a convolution it is nothing but other weights.
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

class Predictor {
 public:
  // options.training is taken as false, nothing is frozen. options.choices are those of a predictor: folded layers are
  // other problems.
  Predictor(const Graph& graph, CompileOptions options);

  // Takes over the parameters of a network of the same graph, as they are now.
  void load(const ParameterStore& trained);

  [[nodiscard]] std::span<float> input() { return network_.input(); }
  [[nodiscard]] std::span<std::int32_t> labels() { return network_.labels(); }
  void use_batch(std::int64_t batch) { network_.use_batch(batch); }
  void forward() { network_.forward(); }
  [[nodiscard]] std::span<const float> logits() const { return network_.logits(); }
  [[nodiscard]] std::span<const float> losses() const { return network_.losses(); }
  [[nodiscard]] double loss() const { return network_.loss(); }

  [[nodiscard]] const Plan& plan() const { return network_.plan(); }
  [[nodiscard]] std::int64_t batch() const { return network_.batch(); }
  // Of the full batch. A predictor compiled with these computes the same numbers.
  [[nodiscard]] const Choices& choices() const { return network_.choices(); }

 private:
  FoldedGraph folded_;
  Network network_;
};

}  // namespace convoy
