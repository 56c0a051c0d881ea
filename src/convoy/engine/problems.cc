#include "convoy/engine/problems.h"

#include "convoy/base/check.h"

namespace convoy {
namespace {

const Shape& input_shape(const Graph& graph, const Unit& unit, int i = 0) {
  return graph.layer(graph.layer(unit.layer).inputs[static_cast<std::size_t>(i)]).shape;
}

const Shape& own_shape(const Graph& graph, const Unit& unit) { return graph.layer(unit.layer).shape; }

// Whether no zeros pad the last block of channels; then a copy of all channels leaves nothing to clear.
bool whole_blocks(std::int64_t channels) { return channels % kernels::channel_block() == 0; }

kernels::PoolingProblem pooling_frame(const Graph& graph, const Unit& unit, const BatchForm& form) {
  const Shape& in = input_shape(graph, unit);
  const Shape& out = own_shape(graph, unit);
  return {.batch = form.batch,
          .channels = in[0],
          .in_h = in[1],
          .in_w = in[2],
          .out_h = out[1],
          .out_w = out[2],
          .type = form.type};
}

template <typename Pool>
void set_window(kernels::PoolingProblem& problem, const Pool& pool) {
  problem.kernel_h = pool.kernel.h;
  problem.kernel_w = pool.kernel.w;
  problem.stride_h = pool.stride.h;
  problem.stride_w = pool.stride.w;
  problem.pad_top = pool.pad.top;
  problem.pad_left = pool.pad.left;
  problem.pad_bottom = pool.pad.bottom;
  problem.pad_right = pool.pad.right;
}

}  // namespace

kernels::Layout::Dims with_batch(const Shape& shape, std::int64_t batch) {
  kernels::Layout::Dims dims = {batch};
  dims.insert(dims.end(), shape.dims().begin(), shape.dims().end());
  return dims;
}

kernels::ConvolutionProblem convolution_problem(const Graph& graph, const Unit& unit, const BatchForm& form) {
  const auto& op = std::get<op::Convolution>(graph.layer(unit.layer).op);
  const Shape& in = input_shape(graph, unit);
  const Shape& out = own_shape(graph, unit);
  return {.batch = form.batch,
          .in_channels = in[0],
          .in_h = in[1],
          .in_w = in[2],
          .out_channels = out[0],
          .out_h = out[1],
          .out_w = out[2],
          .kernel_h = op.kernel.h,
          .kernel_w = op.kernel.w,
          .stride_h = op.stride.h,
          .stride_w = op.stride.w,
          .pad_top = op.pad.top,
          .pad_left = op.pad.left,
          .pad_bottom = op.pad.bottom,
          .pad_right = op.pad.right,
          .dilation_h = op.dilation.h,
          .dilation_w = op.dilation.w,
          .groups = op.groups,
          .bias = op.bias,
          .activation = unit.activation,
          .type = form.type};
}

// Half as many, again and again, as long as the order of the kernels cannot change: each thread has several images,
// there are so many pixels for each weight that preparing weights costs little, and a run is long enough to be timed.
std::int64_t trial_batch(const kernels::ConvolutionProblem& problem, int threads) {
  constexpr std::int64_t kFewestImages = 4;      // for each thread
  constexpr std::int64_t kFewestPixels = 4'096;  // of the result
  constexpr double kFewestFlops = 1.5e9;         // for each thread
  kernels::ConvolutionProblem trial = problem;
  for (; trial.batch % 2 == 0; trial.batch /= 2) {
    const std::int64_t half = trial.batch / 2;
    if (half < kFewestImages * threads || half * trial.out_h * trial.out_w < kFewestPixels) break;
    if (trial.flops() / 2 < kFewestFlops * threads) break;
  }
  return trial.batch;
}

kernels::DenseProblem dense_problem(const Graph& graph, const Unit& unit, const BatchForm& form, bool image) {
  const auto& op = std::get<op::Dense>(graph.layer(unit.layer).op);
  kernels::DenseProblem problem{.batch = form.batch,
                                .out = op.out,
                                .image = image,
                                .bias = op.bias,
                                .activation = unit.activation,
                                .type = form.type,
                                .destination_type = form.type};
  const Layer* input = &graph.layer(unit.inputs[0]);
  // A flatten layer before it costs nothing: the image itself is read.
  if (image && std::holds_alternative<op::Flatten>(input->op)) input = &graph.layer(input->inputs[0]);
  const Shape& in = input->shape;
  problem.in_channels = in[0];
  if (in.rank() == 3) {
    problem.in_h = in[1];
    problem.in_w = in[2];
  }
  return problem;
}

kernels::BatchNormProblem batch_norm_problem(const Graph& graph, const Unit& unit, const BatchForm& form) {
  const auto& op = std::get<op::BatchNorm>(graph.layer(unit.layer).op);
  const Shape& shape = own_shape(graph, unit);
  return {.batch = form.batch,
          .channels = shape[0],
          .h = shape[1],
          .w = shape[2],
          .epsilon = op.epsilon,
          .momentum = op.momentum,
          .activation = unit.activation,
          .shortcut = unit.shortcut,
          .type = form.type};
}

kernels::PoolingProblem pooling_problem(const Graph& graph, const Unit& unit, const BatchForm& form) {
  kernels::PoolingProblem problem = pooling_frame(graph, unit, form);
  const Operator& op = graph.layer(unit.layer).op;
  if (const auto* max = std::get_if<op::MaxPool>(&op)) {
    set_window(problem, *max);
  } else if (const auto* average = std::get_if<op::AveragePool>(&op)) {
    problem.kind = kernels::Pooling::average;
    problem.count_padding = average->count_padding;
    set_window(problem, *average);
  } else {
    CONVOY_CHECK(std::holds_alternative<op::GlobalAveragePool>(op));
    problem.kind = kernels::Pooling::average;
    problem.kernel_h = static_cast<int>(problem.in_h);
    problem.kernel_w = static_cast<int>(problem.in_w);
  }
  return problem;
}

kernels::LrnProblem lrn_problem(const Graph& graph, const Unit& unit, const BatchForm& form) {
  const auto& op = std::get<op::Lrn>(graph.layer(unit.layer).op);
  const Shape& shape = own_shape(graph, unit);
  return {.batch = form.batch,
          .channels = shape[0],
          .h = shape[1],
          .w = shape[2],
          .size = op.size,
          .alpha = op.alpha,
          .beta = op.beta,
          .k = op.k,
          .type = form.type};
}

kernels::SampleNormProblem sample_norm_problem(const Graph& graph, const Unit& unit, const kernels::Layout& layout) {
  const Operator& op = graph.layer(unit.layer).op;
  if (const auto* const groups = std::get_if<op::GroupNorm>(&op)) {
    return {.layout = layout, .groups = groups->groups, .epsilon = groups->epsilon};
  }
  return {.layout = layout, .per_element = true, .epsilon = std::get<op::LayerNorm>(op).epsilon};
}

kernels::LossProblem loss_problem(const Graph& graph, const Unit& unit, const BatchForm& form) {
  using Kind = kernels::LossProblem::Kind;
  const Operator& op = graph.layer(unit.layer).op;
  kernels::LossProblem problem{.batch = form.batch, .classes = input_shape(graph, unit).count()};
  if (const auto* entropy = std::get_if<op::SoftmaxCrossEntropy>(&op)) {
    problem.label_smoothing = entropy->label_smoothing;
  } else {
    problem.kind = Kind::mean_squared_error;
    problem.float_targets = std::get<op::MeanSquaredError>(op).float_targets;
  }
  return problem;
}

kernels::ChannelCopy pad_channels_copy(const Graph& graph, const Unit& unit, const BatchForm& form) {
  const auto& op = std::get<op::PadChannels>(graph.layer(unit.layer).op);
  const Shape& in = input_shape(graph, unit);
  const Shape& out = own_shape(graph, unit);
  return {.batch = form.batch,
          .source_channels = in[0],
          .source_h = in[1],
          .source_w = in[2],
          .destination_channels = out[0],
          .destination_h = out[1],
          .destination_w = out[2],
          .from = 0,
          .to = (out[0] - in[0]) / 2,
          .count = in[0],
          .stride = op.stride,
          .clear = true,
          .type = form.type};
}

kernels::ChannelCopy concat_copy(const Graph& graph, const Unit& unit, const BatchForm& form, int input) {
  std::int64_t to = 0;
  for (int i = 0; i < input; ++i) to += input_shape(graph, unit, i)[0];
  const Shape& in = input_shape(graph, unit, input);
  const Shape& out = own_shape(graph, unit);
  return {.batch = form.batch,
          .source_channels = in[0],
          .source_h = in[1],
          .source_w = in[2],
          .destination_channels = out[0],
          .destination_h = out[1],
          .destination_w = out[2],
          .from = 0,
          .to = to,
          .count = in[0],
          .clear = input == 0 && !whole_blocks(out[0]),
          .type = form.type};
}

kernels::ChannelCopy reversed(const kernels::ChannelCopy& copy) {
  return {.batch = copy.batch,
          .source_channels = copy.destination_channels,
          .source_h = copy.destination_h,
          .source_w = copy.destination_w,
          .destination_channels = copy.source_channels,
          .destination_h = copy.source_h,
          .destination_w = copy.source_w,
          .from = copy.to,
          .to = copy.from,
          .count = copy.count,
          .stride = copy.stride,
          .spread = copy.stride > 1,
          .clear = copy.stride > 1 || !whole_blocks(copy.source_channels),
          .type = copy.type};
}

}  // namespace convoy
