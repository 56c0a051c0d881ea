// The operators a graph can hold: one attribute struct each. A struct is the whole definition of its operator; shapes
// are inferred in infer_shape, learnable parameters listed in parameters.h.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "convoy/tensor/shape.h"

namespace convoy {

// A height and a width; one number stands for both.
struct Extent {
  int h = 1;
  int w = 1;

  constexpr Extent(int both) : h(both), w(both) {}
  constexpr Extent(int height, int width) : h(height), w(width) {}
  bool operator==(const Extent&) const = default;
};

// Zeros added around an image; one number stands for all four sides.
struct Padding {
  int top = 0;
  int left = 0;
  int bottom = 0;
  int right = 0;

  constexpr Padding(int all) : top(all), left(all), bottom(all), right(all) {}
  constexpr Padding(int t, int l, int b, int r) : top(t), left(l), bottom(b), right(r) {}
  bool operator==(const Padding&) const = default;
};

namespace op {

// The samples; exactly one per graph.
struct Input {
  Shape shape;
};

// groups == in channels == out channels is a depthwise convolution.
struct Convolution {
  int out;
  Extent kernel = 1;
  Extent stride = 1;
  Padding pad = 0;
  Extent dilation = 1;
  int groups = 1;
  bool bias = true;
  std::string name;
};

// y = W x + b over all elements of a sample.
struct Dense {
  int out;
  bool bias = true;
  std::string name;
};

// Normalises each channel of the images over the batch. As in PyTorch, momentum is the weight of the newest batch in
// the running statistics.
struct BatchNorm {
  float epsilon = 1e-5F;
  float momentum = 0.1F;
  std::string name;
};

// Normalises each sample by itself, over groups of neighbouring channels; scale and shift are per channel. With as many
// groups as channels it is an instance norm.
struct GroupNorm {
  int groups;
  float epsilon = 1e-5F;
  std::string name;
};

// Normalises each sample by itself, over all of its elements; scale and shift are per element, as in PyTorch's
// LayerNorm of a whole sample.
struct LayerNorm {
  float epsilon = 1e-5F;
  std::string name;
};

struct Relu {
  std::string name;
};

// min(max(x, 0), 6)
struct Relu6 {
  std::string name;
};

// 1 / (1 + e^-x)
struct Sigmoid {
  std::string name;
};

struct Tanh {
  std::string name;
};

// e^x divided by the sum of e^x over the row: turns scores into probabilities. A loss rarely follows it, since
// softmax_cross_entropy takes the scores themselves.
struct Softmax {
  std::string name;
};

// ceil: also counts a last window that starts inside the padded image but runs past its end.
struct MaxPool {
  Extent kernel;
  Extent stride = 1;
  Padding pad = 0;
  bool ceil = false;
  std::string name;
};

// count_padding: the divisor counts padded zeros (but never the part of a window past the padding in ceil mode), as in
// PyTorch.
struct AveragePool {
  Extent kernel;
  Extent stride = 1;
  Padding pad = 0;
  bool ceil = false;
  bool count_padding = true;
  std::string name;
};

// CxHxW -> Cx1x1
struct GlobalAveragePool {
  std::string name;
};

struct Add {
  std::string name;
};

// Joins its inputs along the channels.
struct Concat {
  std::string name;
};

// The shortcut without parameters (option A) of CIFAR ResNets: takes every stride-th pixel and adds zero channels, half
// of them before and half after the given ones.
struct PadChannels {
  int out;
  int stride = 1;
  std::string name;
};

// Zeroes a share `rate` of the elements while training and scales the rest by 1 / (1 - rate).
struct Dropout {
  float rate = 0.5F;
  std::string name;
};

// Local response normalisation across `size` channels: y = x / (k + alpha / size * sum x^2)^beta.
struct Lrn {
  int size = 5;
  float alpha = 1e-4F;
  float beta = 0.75F;
  float k = 1.0F;
  std::string name;
};

// CxHxW -> one row, in the order of the channels.
struct Flatten {
  std::string name;
};

// A loss: the mean of the cross-entropy over the batch; the target is one class per sample. A smoothing of s gives
// every class s / classes of the target.
struct SoftmaxCrossEntropy {
  float label_smoothing = 0.0F;
  std::string name;
};

// A loss: the mean of (x - target)^2 over batch and elements. The target of a class label is its one-hot row; with
// float_targets it is a row of floats that comes with each sample.
struct MeanSquaredError {
  bool float_targets = false;
  std::string name;
};

}  // namespace op

using Operator = std::variant<op::Input, op::Convolution, op::Dense, op::BatchNorm, op::GroupNorm, op::LayerNorm,
                              op::Relu, op::Relu6, op::Sigmoid, op::Tanh, op::Softmax, op::MaxPool, op::AveragePool,
                              op::GlobalAveragePool, op::Add, op::Concat, op::PadChannels, op::Dropout, op::Lrn,
                              op::Flatten, op::SoftmaxCrossEntropy, op::MeanSquaredError>;

// Whether an operator is one of these kinds.
template <typename... Ops>
[[nodiscard]] bool is_one_of(const Operator& op) {
  return (std::holds_alternative<Ops>(op) || ...);
}

// "conv", "dense", "batch_norm", ...: the kind's name as users see it.
[[nodiscard]] const char* kind_of(const Operator& op);

// Whether it is a loss, which ends a graph and has a scalar shape.
[[nodiscard]] bool is_loss(const Operator& op);

// The shape of one sample of the output, given those of the inputs. Throws UserError `layer "name": ...` with the
// shapes when attributes or shapes do not fit; `name` is only for the message.
[[nodiscard]] Shape infer_shape(const Operator& op, std::span<const Shape> inputs, std::string_view name);

}  // namespace convoy
