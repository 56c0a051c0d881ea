// What a network costs, computed from its graph alone: sizes, parameters, arithmetic and receptive fields.
#pragma once

#include <cstdint>
#include <vector>

#include "convoy/graph/graph.h"

namespace convoy {

// All numbers are per sample; elements are four-byte floats.
struct LayerAnalysis {
  LayerId layer = 0;
  std::int64_t activations = 0;  // elements of the output; a loss has one
  // The activations as papers count them: zero for layers that are folded into the layer before (activation functions,
  // norms, dropout, flattening, losses) and for concatenations, whose inputs have been counted already.
  std::int64_t counted_activations = 0;
  std::int64_t weights = 0;  // of convolutions and dense layers, and the scales of batch norms
  std::int64_t biases = 0;   // of convolutions and dense layers, and the shifts of batch norms
  std::int64_t tensors = 0;  // how many learnable tensors
  // Multiply-adds of the forward pass of a convolution or dense layer. Biases are left out and padding counts like
  // ordinary pixels. Zero for every other operator.
  std::int64_t multiply_adds = 0;
  // How many input pixels one output pixel depends on, the maximum over all paths. Padding counts too, so the number
  // may exceed the image and never shrinks from layer to layer. Dense layers and global pooling see at least the whole
  // image. 1x1 when the input is a row.
  std::int64_t receptive_height = 1;
  std::int64_t receptive_width = 1;

  [[nodiscard]] std::int64_t parameters() const { return weights + biases; }
  [[nodiscard]] std::int64_t output_bytes() const { return 4 * activations; }
  [[nodiscard]] std::int64_t parameter_bytes() const { return 4 * parameters(); }
};

struct Analysis {
  std::vector<LayerAnalysis> layers;  // one for each layer of the graph, in its order

  // Sums over all layers. `activations` leaves out the input, `counted_activations` includes it.
  std::int64_t activations = 0;
  std::int64_t counted_activations = 0;
  std::int64_t weights = 0;
  std::int64_t biases = 0;
  std::int64_t tensors = 0;
  std::int64_t multiply_adds = 0;

  [[nodiscard]] std::int64_t parameters() const { return weights + biases; }
  // The bytes that data-parallel workers sum in a step: every gradient once, as a float.
  [[nodiscard]] std::int64_t allreduce_bytes() const { return 4 * parameters(); }
};

[[nodiscard]] Analysis analyse(const Graph& graph);

}  // namespace convoy
