// Converts the units of a graph to the problems that kernels solve, for a given batch and element type.
#pragma once

#include "convoy/engine/fusion.h"
#include "convoy/graph/graph.h"
#include "convoy/kernels/batch_norm.h"
#include "convoy/kernels/channel_copy.h"
#include "convoy/kernels/convolution.h"
#include "convoy/kernels/loss.h"
#include "convoy/kernels/lrn.h"
#include "convoy/kernels/pooling.h"
#include "convoy/kernels/sample_norm.h"

namespace convoy {

// What a plan adds to the graph.
struct BatchForm {
  std::int64_t batch = 1;
  DataType type = DataType::fp32;
};

// The dimensions with the batch in front: NxCxHxW or NxF.
[[nodiscard]] kernels::Layout::Dims with_batch(const Shape& shape, std::int64_t batch);

[[nodiscard]] kernels::ConvolutionProblem convolution_problem(const Graph& graph, const Unit& unit,
                                                              const BatchForm& form);
// How many of the batch's images are enough to tell which kernel is the fastest for all of them.
[[nodiscard]] std::int64_t trial_batch(const kernels::ConvolutionProblem& problem, int threads);
// `image`: the input arrives blocked, as CxHxW, instead of as a row. The result has the form's type too.
[[nodiscard]] kernels::DenseProblem dense_problem(const Graph& graph, const Unit& unit, const BatchForm& form,
                                                  bool image);
[[nodiscard]] kernels::BatchNormProblem batch_norm_problem(const Graph& graph, const Unit& unit, const BatchForm& form);
// Group norm and layer norm, for a source in that layout.
[[nodiscard]] kernels::SampleNormProblem sample_norm_problem(const Graph& graph, const Unit& unit,
                                                             const kernels::Layout& layout);
// Max, average and global average pooling.
[[nodiscard]] kernels::PoolingProblem pooling_problem(const Graph& graph, const Unit& unit, const BatchForm& form);
[[nodiscard]] kernels::LrnProblem lrn_problem(const Graph& graph, const Unit& unit, const BatchForm& form);
[[nodiscard]] kernels::LossProblem loss_problem(const Graph& graph, const Unit& unit, const BatchForm& form);
[[nodiscard]] kernels::ChannelCopy pad_channels_copy(const Graph& graph, const Unit& unit, const BatchForm& form);
// The part of a concatenation that copies input number `input`.
[[nodiscard]] kernels::ChannelCopy concat_copy(const Graph& graph, const Unit& unit, const BatchForm& form, int input);

// The same copy in the other direction, for gradients.
[[nodiscard]] kernels::ChannelCopy reversed(const kernels::ChannelCopy& copy);

}  // namespace convoy
