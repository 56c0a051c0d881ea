// What a network costs, computed from its graph alone: sizes, parameters, arithmetic and receptive fields.
#pragma once

#include <cstdint>
#include <vector>

#include "convoy/graph/graph.h"

namespace convoy {

// All per sample. Elements are four-byte floats.
struct LayerAnalysis {
  LayerId layer = 0;
  std::int64_t activations = 0;  // elements of the output; a loss has one
  // The same as papers count: zero for layers that are folded into the one before (activation functions, batch norm,
  // dropout, flattening, losses) and for concatenations, whose inputs have been counted.
  std::int64_t counted_activations = 0;
  std::int64_t weights = 0;  // of convolutions and dense layers, and scales of batch norms
  std::int64_t biases = 0;   // of convolutions and dense layers, and shifts of batch norms
  std::int64_t tensors = 0;  // learnable tensors
  // One multiplication and one addition of a convolution's or a dense layer's forward pass, biases and padding
  // counted as if they were ordinary pixels. Every other operator counts as zero.
  std::int64_t multiply_adds = 0;
  // The input pixels that one output pixel depends on, maximum over all paths. Padding is not cut off, so it may be
  // larger than the image, and never shrinks; dense layers and global pooling see at least the whole image. 1x1 for
  // inputs that are rows.
  std::int64_t receptive_height = 1;
  std::int64_t receptive_width = 1;

  [[nodiscard]] std::int64_t parameters() const { return weights + biases; }
  [[nodiscard]] std::int64_t output_bytes() const { return 4 * activations; }
  [[nodiscard]] std::int64_t parameter_bytes() const { return 4 * parameters(); }
};

struct Analysis {
  std::vector<LayerAnalysis> layers;  // one for each layer of the graph, in its order

  // Sums over all layers; activations without the input's, those that papers count with them.
  std::int64_t activations = 0;
  std::int64_t counted_activations = 0;
  std::int64_t weights = 0;
  std::int64_t biases = 0;
  std::int64_t tensors = 0;
  std::int64_t multiply_adds = 0;

  [[nodiscard]] std::int64_t parameters() const { return weights + biases; }
  // What data-parallel workers exchange in a step: every gradient once, as floats.
  [[nodiscard]] std::int64_t allreduce_bytes() const { return 4 * parameters(); }
};

[[nodiscard]] Analysis analyse(const Graph& graph);

}  // namespace convoy
