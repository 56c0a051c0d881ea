// Convolutions and dense layers: the operators with several implementations to choose from, in each of their passes.
#pragma once

#include <string>
#include <vector>

#include "convoy/kernels/activation.h"
#include "convoy/kernels/device.h"
#include "convoy/kernels/kernel.h"

namespace convoy::kernels {

enum class Pass : std::uint8_t { forward, backward_data, backward_weights };

[[nodiscard]] const char* name_of(Pass pass);

// A convolution of one batch. Padding is top, left, bottom, right; a dilation of 1 means a dense kernel.
struct ConvolutionProblem {
  std::int64_t batch = 1;
  std::int64_t in_channels = 1, in_h = 1, in_w = 1;
  std::int64_t out_channels = 1, out_h = 1, out_w = 1;
  std::int64_t kernel_h = 1, kernel_w = 1;
  std::int64_t stride_h = 1, stride_w = 1;
  std::int64_t pad_top = 0, pad_left = 0, pad_bottom = 0, pad_right = 0;
  std::int64_t dilation_h = 1, dilation_w = 1;
  std::int64_t groups = 1;
  bool bias = true;
  Activation activation = Activation::none;
  // Of images, their gradients and weights; biases and the weights' gradients are floats.
  DataType type = DataType::fp32;

  [[nodiscard]] Layout::Dims source_dims() const { return {batch, in_channels, in_h, in_w}; }
  [[nodiscard]] Layout::Dims destination_dims() const { return {batch, out_channels, out_h, out_w}; }
  // With a leading dimension for the groups if there are several.
  [[nodiscard]] Layout::Dims weights_dims() const;
  // Floating-point operations of one pass: each multiplication and each addition counts.
  [[nodiscard]] double flops() const;
  // The text that identifies the problem in the tuning cache.
  [[nodiscard]] std::string key() const;
};

// A dense layer on rows of in_channels * in_h * in_w elements; the source may keep an image's layout.
struct DenseProblem {
  std::int64_t batch = 1;
  std::int64_t in_channels = 1, in_h = 1, in_w = 1;
  std::int64_t out = 1;
  bool image = false;  // whether the source has four dimensions
  bool bias = true;
  Activation activation = Activation::none;
  DataType type = DataType::fp32;              // as for a convolution
  DataType destination_type = DataType::fp32;  // of the result: logits are floats whatever the other types are

  [[nodiscard]] Layout::Dims source_dims() const;
  [[nodiscard]] Layout::Dims destination_dims() const { return {batch, out}; }
  [[nodiscard]] Layout::Dims weights_dims() const;
  [[nodiscard]] double flops() const;
  [[nodiscard]] std::string key() const;
};

// Which arithmetic candidates may use. Winograd needs fewer multiplications and rounds differently.
enum class Arithmetic : std::uint8_t { any, direct_only };

// Every implementation of a pass that is worth trying, best guess first; never empty. Operands are in the layouts that
// the implementation wants; adapt() converts others. In bf16 these are oneDNN's own, if the machine has them, and all
// that compute in fp32, with operands converted on the way in and out ("fp32 ..."). Products of bf16 values are exact
// in floats, so both compute the same apart from the order of sums. Winograd with products of bf16 numbers ("..._bf16")
// rounds once more on the way: see winograd/pairs_test.cc.
[[nodiscard]] std::vector<PreparedPtr> candidates(const Device& device, const ConvolutionProblem& problem, Pass pass,
                                                  Arithmetic arithmetic);
[[nodiscard]] std::vector<PreparedPtr> candidates(const Device& device, const DenseProblem& problem, Pass pass);

}  // namespace convoy::kernels
