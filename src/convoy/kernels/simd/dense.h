// The products of a dense layer on few samples, where reading the weights takes the time: each weight is read once for
// all samples.
//
// Rows of samples are in a panel of floats: panel[vector][sample][lane], so that what belongs to one vector of weights
// lies together. A row of weights has `vectors` vectors and begins `stride` elements after the one before.
#pragma once

#include <cstdint>

#include "convoy/tensor/data_type.h"

namespace convoy::kernels::simd {

template <typename Element>
struct DenseLoops {
  int block;
  int outputs;  // that `products` computes best at once

  // Between rows, each `vectors` * block elements long, and a panel.
  void (*to_panel)(const Element* rows, std::int64_t samples, std::int64_t vectors, float* panel);
  void (*from_panel)(const float* panel, std::int64_t samples, std::int64_t vectors, Element* rows);

  // sums[output][sample] = sum over k of weights[output][k] sample[k]
  void (*products)(const Element* weights, std::int64_t stride, std::int64_t outputs, const float* panel,
                   std::int64_t samples, std::int64_t vectors, float* sums);
  // sample[k] += sum over outputs of weights[output][k] gradients[output][sample], for `vectors` vectors of each row
  void (*accumulate)(const Element* weights, std::int64_t stride, std::int64_t outputs, const float* gradients,
                     std::int64_t samples, std::int64_t vectors, float* panel);
};

template <typename Element>
[[nodiscard]] const DenseLoops<Element>& dense_loops();
template <>
[[nodiscard]] const DenseLoops<float>& dense_loops();
template <>
[[nodiscard]] const DenseLoops<BFloat16>& dense_loops();

}  // namespace convoy::kernels::simd
