// A network that only predicts: batch norm is folded away, and nothing is kept for a backward pass.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "convoy/engine/network.h"
#include "convoy/engine/parameter_store.h"
#include "convoy/graph/graph.h"

namespace convoy {

// Removes batch norm from a network that only predicts: after a convolution it only means other weights.
struct FoldedGraph {
  struct Fold {
    std::string layer;  // the convolution; it has a bias in the folded graph
    std::string batch_norm;
    float epsilon;
  };
  Graph graph;
  std::vector<Fold> folds;
};

// The graph without dropout and without every batch norm that is the only reader of a convolution. Names do not change.
[[nodiscard]] FoldedGraph fold_batch_norm(const Graph& graph);

// Fills in the parameters and statistics of a network of the folded graph from those of the original one.
void fold_parameters(const ParameterStore& trained, const FoldedGraph& folded, ParameterStore& target);

class Predictor {
 public:
  // options.training is taken as false, and nothing is frozen. options.choices must be those of a predictor, because
  // folded layers are other problems.
  Predictor(const Graph& graph, CompileOptions options);

  // Loads the current parameters of a network of the same graph.
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
  // For the full batch. A predictor compiled with these computes the same numbers.
  [[nodiscard]] const Choices& choices() const { return network_.choices(); }

 private:
  FoldedGraph folded_;
  Network network_;
};

}  // namespace convoy
