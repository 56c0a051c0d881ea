// Runs a winograd convolution: the forward pass, or the gradient of the source.
#pragma once

#include "convoy/kernels/scratch.h"
#include "convoy/kernels/winograd/plan.h"

namespace convoy::kernels {

// Images and weights are of type Element, what is multiplied at points is in cells of type Cell.
template <typename Element, typename Cell>
class WinogradConvolution {
 public:
  using Ends = simd::WinogradEnds<Element, Cell>;

  // biases: how many values the bias has; zero if there is none.
  WinogradConvolution(const WinogradPlan& plan, const Ends& ends, Activation activation, std::int64_t biases)
      : plan_(plan), ends_(&ends), activation_(activation), biases_(biases) {}

  [[nodiscard]] std::size_t scratch_bytes() const;

  // bias is null if there is none.
  void run(const Element* source, const Element* weights, const float* bias, Element* result, float* scratchpad) const;

 private:
  struct Operands {
    const Element* source;
    const Element* weights;
    Element* result;
    const float* bias;
  };
  // Parts of the scratchpad. Each thread has its own products and, by tiles, its own values and weights if these are
  // few, or, by weights, its own part of the weights.
  struct Parts {
    float* bias;
    Cell* weights;
    PointMatrices<Cell> values;
    PointMatrices<float> products;
    std::int64_t distance;  // from what is a thread's own to that of the next
  };

  [[nodiscard]] bool own_weights() const;
  [[nodiscard]] Parts lay_out(Scratch& scratch) const;
  [[nodiscard]] const float* padded(const float* bias, float* copy) const;
  void weights_to_points(const Element* weights, std::int64_t result_block, std::int64_t source_block, Cell* to) const;
  void source_to_points(const Element* source, std::int64_t block, std::int64_t first, std::int64_t count,
                        const PointMatrices<Cell>& values) const;
  void results_from_points(const Operands& operands, const PointMatrices<float>& products, std::int64_t column,
                           std::int64_t result_block, std::int64_t first, std::int64_t count) const;
  void run_by_tiles(const Operands& operands, const Parts& parts) const;
  void multiply_tiles(const PointMatrices<Cell>& values, const Cell* weights, const PointMatrices<float>& products,
                      std::int64_t count) const;
  void run_by_weights(const Operands& operands, const Parts& parts) const;
  void add_products(const Operands& operands, const PointMatrices<Cell>& values, std::int64_t first_column,
                    std::int64_t columns, std::int64_t from, Cell* weights, const PointMatrices<float>& products) const;

  WinogradPlan plan_;
  const Ends* ends_;
  Activation activation_;
  std::int64_t biases_;
};

}  // namespace convoy::kernels
