// Estimates from the graph alone how much memory training takes: good enough to know before starting, not exact to the
// byte as a compiled plan is.
#pragma once

#include <cstdint>
#include <vector>

#include "convoy/graph/graph.h"
#include "convoy/tensor/data_type.h"

namespace convoy {

struct TrainingMemory {
  // Outputs that the backward pass reads again, and the samples. ReLU works in place and a concatenation shares the
  // memory of its inputs; max pooling and dropout keep one byte per element.
  std::int64_t activation_bytes = 0;
  // The largest set of activation gradients that are alive at the same time in the backward pass.
  std::int64_t activation_gradient_bytes = 0;
  std::int64_t parameter_bytes = 0;  // including the copies in bf16 that kernels read
  std::int64_t gradient_bytes = 0;   // of the parameters
  std::int64_t optimizer_bytes = 0;  // SGD with momentum: one copy of the parameters

  [[nodiscard]] std::int64_t total_bytes() const {
    return activation_bytes + activation_gradient_bytes + parameter_bytes + gradient_bytes + optimizer_bytes;
  }
};

// `batch` is what one worker computes at once, from 1 to 1,000,000; otherwise throws UserError. `precision` is that of
// activations and their gradients.
[[nodiscard]] TrainingMemory training_memory(const Graph& graph, std::int64_t batch,
                                             DataType precision = DataType::fp32);

// For each layer, the bytes per sample that training keeps; their sum is `activation_bytes` for a batch of 1.
[[nodiscard]] std::vector<std::int64_t> kept_bytes(const Graph& graph, DataType precision = DataType::fp32);

}  // namespace convoy
