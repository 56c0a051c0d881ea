// Estimates the memory that training a network takes, from its graph alone: what a user should know before starting,
// not what a compiled plan will allocate to the byte.
#pragma once

#include <cstdint>
#include <vector>

#include "convoy/graph/graph.h"
#include "convoy/tensor/data_type.h"

namespace convoy {

struct TrainingMemory {
  // Outputs that the backward pass reads again, the samples among them. ReLU works in place, a concatenation is
  // its inputs side by side; max pooling and dropout keep one byte per element.
  std::int64_t activation_bytes = 0;
  // The largest set of activation gradients alive at one moment of the backward pass.
  std::int64_t activation_gradient_bytes = 0;
  std::int64_t parameter_bytes = 0;  // with the copies in bf16 that kernels read
  std::int64_t gradient_bytes = 0;   // of the parameters
  std::int64_t optimizer_bytes = 0;  // SGD with momentum: one copy of the parameters

  [[nodiscard]] std::int64_t total_bytes() const {
    return activation_bytes + activation_gradient_bytes + parameter_bytes + gradient_bytes + optimizer_bytes;
  }
};

// `batch` is what one worker computes at once; from 1 to 1,000,000, else UserError. `precision` is that of activations
// and of their gradients.
[[nodiscard]] TrainingMemory training_memory(const Graph& graph, std::int64_t batch,
                                             DataType precision = DataType::fp32);

// For each layer the bytes that training keeps of it for one sample; their sum is `activation_bytes` of batch 1.
[[nodiscard]] std::vector<std::int64_t> kept_bytes(const Graph& graph, DataType precision = DataType::fp32);

}  // namespace convoy
