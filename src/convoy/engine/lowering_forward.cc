#include <algorithm>
#include <iterator>

#include "convoy/base/check.h"
#include "convoy/base/error.h"
#include "convoy/engine/lowering.h"
#include "convoy/engine/problems.h"
#include "convoy/kernels/elementwise.h"
#include "convoy/kernels/own_dense.h"
#include "convoy/kernels/reorder.h"

namespace convoy {

using kernels::Layout;
using kernels::Pass;
using kernels::Role;

namespace {

// Those of the candidates that have the weights of each output together; all of them if none has.
std::vector<kernels::PreparedPtr> by_rows_if_possible(std::vector<kernels::PreparedPtr> candidates,
                                                      const kernels::DenseProblem& problem, Pass pass) {
  const Role role = pass == Pass::backward_weights ? Role::diff_weights : Role::weights;
  const Layout rows = kernels::DenseLayouts(problem).weights;
  std::vector<kernels::PreparedPtr> fitting;
  std::ranges::copy_if(candidates, std::back_inserter(fitting), [&](const kernels::PreparedPtr& candidate) {
    const Layout layout = candidate->layout(role);
    return layout == rows.with(DataType::fp32) || layout == rows.with(problem.type);
  });
  return fitting.empty() ? candidates : fitting;
}

}  // namespace

void Lowering::forward(const op::Input& op, const Unit& unit) {
  const Layout layout = Layout::plain(with_batch(op.shape, options_.batch));
  out_.input = define(unit, layout);
  out_.program.buffers[static_cast<std::size_t>(out_.input)].persistent = true;
  // If their gradient is wanted, samples are read like any other value, so that the gradient has the value's layout.
  if (!trainable(unit.output)) return;
  const Stored read = op.shape.rank() == 3 ? image(unit, unit.output) : typed(unit, unit.output);
  values_[unit.output] = read;
}

void Lowering::forward(const op::Convolution&, const Unit& unit) {
  const auto problem = convolution_problem(graph_, unit, form());
  // Samples are read as they are: the few channels of an image would leave most of a block empty.
  const LayerId from = unit.inputs[0];
  const bool samples = std::holds_alternative<op::Input>(graph_.layer(from).op) && !trainable(from);
  const Stored source = samples ? typed(unit, unit.inputs[0]) : image(unit, unit.inputs[0]);
  LayerSite site = convolution_site(unit, problem, source.layout);
  const std::int64_t enough = trial_batch(problem, device_.threads());
  if (enough < problem.batch) {
    auto trial = problem;
    trial.batch = enough;
    const auto dims = trial.source_dims();
    site.trial = std::make_shared<LayerSite>(
        convolution_site(unit, trial, samples ? Layout::plain(dims, trial.type) : Layout::blocked(dims, trial.type)));
  }
  forward_layer(unit, site, problem.weights_dims(), problem.flops(), source.buffer);
}

LayerSite Lowering::convolution_site(const Unit& unit, const kernels::ConvolutionProblem& problem,
                                     const Layout& source) const {
  return {
      .layer = graph_.layer(unit.layer).name,
      .problem = problem.key() + (options_.arithmetic == kernels::Arithmetic::any ? "" : " exact"),
      .candidates = [=, this](Pass pass) { return kernels::candidates(device_, problem, pass, options_.arithmetic); },
      .source = source,
      .destination = Layout::blocked(problem.destination_dims(), problem.type),
      .data_gradient = trainable(unit.inputs[0]),
      .weight_gradient = learns(unit.layer, ParameterRole::weight) || learns(unit.layer, ParameterRole::bias)};
}

void Lowering::forward(const op::Dense&, const Unit& unit) {
  const Stored source = typed(unit, unit.inputs[0]);
  const auto dims = source.layout.dims();
  const bool is_image = dims.size() == 4 && source.layout != Layout::plain(dims, options_.type);
  auto problem = dense_problem(graph_, unit, form(), is_image);
  if (is_logits(unit.output)) problem.destination_type = DataType::fp32;
  const std::string& layer = graph_.layer(unit.layer).name;
  const bool by_rows = options_.by_rows.contains(layer);
  const LayerSite site{
      .layer = layer,
      .problem = problem.key() + (by_rows ? " by rows" : ""),
      .candidates =
          [=, this](Pass pass) {
            std::vector<kernels::PreparedPtr> all = kernels::candidates(device_, problem, pass);
            return by_rows ? by_rows_if_possible(std::move(all), problem, pass) : all;
          },
      .source = is_image ? source.layout : Layout::plain(problem.source_dims(), problem.type),
      .destination = Layout::plain(problem.destination_dims(), problem.destination_type),
      .data_gradient = trainable(unit.inputs[0]),
      .weight_gradient = learns(unit.layer, ParameterRole::weight) || learns(unit.layer, ParameterRole::bias)};
  forward_layer(unit, site, problem.weights_dims(), problem.flops(), source.buffer);
}

std::optional<KernelChoice> Lowering::given_choice(const std::string& layer) const {
  if (options_.choices == nullptr) return std::nullopt;
  const auto at = options_.choices->find(layer);
  if (at != options_.choices->end()) return at->second;
  throw UserError(
      "the kernel choices name no implementation of layer \"{}\": they were made for another network; "
      "compile without them to measure anew",
      layer);
}

void Lowering::forward_layer(const Unit& unit, const LayerSite& site, const Layout::Dims& weights_dims, double flops,
                             BufferId source) {
  const int weight = parameter_index(unit.layer, ParameterRole::weight);
  const int bias = parameter_index(unit.layer, ParameterRole::bias);
  Layout fixed;
  if (options_.parameters != nullptr) {
    const ParameterEntry& entry = options_.parameters->entries[static_cast<std::size_t>(weight)];
    fixed = entry.layout.with(entry.copied ? DataType::bf16 : DataType::fp32);
  }
  const LayerKernels& layer = layers_[unit.layer] = tuner_.choose(site, given_choice(site.layer), fixed);
  out_.choices[site.layer] = layer.choice;
  set_layout(weight, weights_dims, layer.weights);
  sources_[unit.layer] = source;
  layer_flops_[unit.layer] = flops;
  auto step = line(unit, Phase::forward, layer.forward);
  step.buffer(Role::source, source).weights(weight);
  if (bias >= 0) step.parameter(Role::bias, bias);
  step.buffer(Role::destination, define(unit, site.destination)).flops(flops).emit();
}

void Lowering::forward(const op::BatchNorm&, const Unit& unit) {
  const auto problem = batch_norm_problem(graph_, unit, form());
  const Stored source = image(unit, unit.inputs[0]);
  const bool learning = learns(unit.layer, ParameterRole::scale);
  const auto prepared =
      learning ? kernels::prepare_batch_norm(problem) : kernels::prepare_batch_norm_inference(problem);
  const int statistics_at = statistics_index(unit.layer);
  auto step = line(unit, Phase::forward, prepared);
  step.buffer(Role::source, source.buffer)
      .parameter(Role::weights, parameter_index(unit.layer, ParameterRole::scale))
      .parameter(Role::bias, parameter_index(unit.layer, ParameterRole::shift))
      .statistics(Role::running_mean, statistics_at)
      .statistics(Role::running_variance, statistics_at + 1);
  if (unit.shortcut) step.buffer(Role::source2, image(unit, unit.inputs[1]).buffer);
  if (learning) step.buffer(Role::workspace, keep_workspace(unit, *prepared)).step_info();
  sources_[unit.layer] = source.buffer;
  step.buffer(Role::destination, define(unit, source.layout)).in_place(Role::destination, Role::source).emit();
}

void Lowering::forward_sample_norm(const Unit& unit) {
  const bool is_image = graph_.layer(unit.layer).shape.rank() == 3;
  const Stored source = is_image ? image(unit, unit.inputs[0]) : typed(unit, unit.inputs[0]);
  const auto prepared = kernels::prepare_sample_norm(sample_norm_problem(graph_, unit, source.layout));
  sources_[unit.layer] = source.buffer;
  line(unit, Phase::forward, prepared)
      .buffer(Role::source, source.buffer)
      .parameter(Role::weights, parameter_index(unit.layer, ParameterRole::scale))
      .parameter(Role::bias, parameter_index(unit.layer, ParameterRole::shift))
      .buffer(Role::workspace, keep_workspace(unit, *prepared))
      .buffer(Role::destination, define(unit, source.layout))
      .in_place(Role::destination, Role::source)
      .emit();
}

void Lowering::forward_activation(const Unit& unit) {
  const Stored source = value(unit.inputs[0]);
  line(unit, Phase::forward, kernels::prepare_activation(source.layout, unit.activation))
      .buffer(Role::source, source.buffer)
      .buffer(Role::destination, define(unit, source.layout))
      .in_place(Role::destination, Role::source)
      .emit();
}

void Lowering::forward_smooth(const Unit& unit, kernels::SmoothActivation kind) {
  const Stored source =
      graph_.layer(unit.layer).shape.rank() == 3 ? image(unit, unit.inputs[0]) : typed(unit, unit.inputs[0]);
  line(unit, Phase::forward, kernels::prepare_smooth_activation(source.layout, kind))
      .buffer(Role::source, source.buffer)
      .buffer(Role::destination, define(unit, source.layout))
      .in_place(Role::destination, Role::source)
      .emit();
}

void Lowering::forward(const op::Softmax&, const Unit& unit) {
  const Layout::Dims dims = with_batch(graph_.layer(unit.layer).shape, options_.batch);
  const Stored source = converted(unit, unit.inputs[0], Layout::plain(dims, value(unit.inputs[0]).layout.type()));
  line(unit, Phase::forward, kernels::prepare_softmax(source.layout))
      .buffer(Role::source, source.buffer)
      .buffer(Role::destination, define(unit, source.layout))
      .in_place(Role::destination, Role::source)
      .emit();
}

void Lowering::forward_pooling(const Unit& unit) {
  auto problem = pooling_problem(graph_, unit, form());
  if (only_max_pool_reads(unit.inputs[0])) problem.activation = activations_.at(unit.inputs[0]);
  const Stored source = image(unit, unit.inputs[0]);
  const auto prepared = kernels::prepare_pooling(problem, trainable(unit.inputs[0]));
  auto step = line(unit, Phase::forward, prepared);
  step.buffer(Role::source, source.buffer);
  if (prepared->bytes(Role::workspace) > 0) step.buffer(Role::workspace, keep_workspace(unit, *prepared));
  step.buffer(Role::destination, define(unit, prepared->layout(Role::destination))).emit();
}

void Lowering::forward(const op::Add&, const Unit& unit) {
  // Images are added in blocked and rows in plain layout, so that both summands have the same.
  const bool images = graph_.layer(unit.layer).shape.rank() == 3;
  const auto stored = [&](LayerId id) { return images ? image(unit, id) : typed(unit, id); };
  Stored sum = stored(unit.inputs[0]);
  for (std::size_t i = 1; i < unit.inputs.size(); ++i) {
    const bool last = i + 1 == unit.inputs.size();
    const auto activation = last ? unit.activation : kernels::Activation::none;
    const Stored summand = stored(unit.inputs[i]);
    CONVOY_CHECK(sum.layout == summand.layout);
    const BufferId target = last ? define(unit, sum.layout) : new_buffer(name(unit) + " partial", sum.layout.bytes());
    line(unit, Phase::forward, kernels::prepare_add(sum.layout, activation))
        .buffer(Role::source, sum.buffer)
        .buffer(Role::source2, summand.buffer)
        .buffer(Role::destination, target)
        .in_place(Role::destination, Role::source)
        .in_place(Role::destination, Role::source2)
        .emit();
    sum.buffer = target;
  }
}

void Lowering::forward(const op::Concat&, const Unit& unit) {
  const auto layout = Layout::blocked(with_batch(graph_.layer(unit.layer).shape, options_.batch), options_.type);
  const BufferId target = define(unit, layout);
  for (std::size_t i = 0; i < unit.inputs.size(); ++i) {
    const auto copy = concat_copy(graph_, unit, form(), static_cast<int>(i));
    line(unit, Phase::forward, kernels::prepare_channel_copy(copy, Role::source, Role::destination))
        .buffer(Role::source, image(unit, unit.inputs[i]).buffer)
        .buffer(Role::destination, target)
        .emit();
  }
}

void Lowering::forward(const op::PadChannels&, const Unit& unit) {
  const auto copy = pad_channels_copy(graph_, unit, form());
  line(unit, Phase::forward, kernels::prepare_channel_copy(copy, Role::source, Role::destination))
      .buffer(Role::source, image(unit, unit.inputs[0]).buffer)
      .buffer(Role::destination, define(unit, Layout::blocked(copy.destination_dims(), copy.type)))
      .emit();
}

void Lowering::forward(const op::Dropout& op, const Unit& unit) {
  const Stored source = value(unit.inputs[0]);
  if (!options_.training || op.rate == 0.0F) {
    values_[unit.output] = source;
    return;
  }
  const auto prepared = kernels::prepare_dropout(source.layout, op.rate, static_cast<std::uint64_t>(unit.layer));
  line(unit, Phase::forward, prepared)
      .buffer(Role::source, source.buffer)
      .buffer(Role::workspace, keep_workspace(unit, *prepared))
      .buffer(Role::destination, define(unit, source.layout))
      .step_info()
      .in_place(Role::destination, Role::source)
      .emit();
}

void Lowering::forward(const op::Lrn&, const Unit& unit) {
  const auto problem = lrn_problem(graph_, unit, form());
  const Stored source = image(unit, unit.inputs[0]);
  const auto prepared = kernels::prepare_lrn(device_, problem, trainable(unit.inputs[0]));
  auto step = line(unit, Phase::forward, prepared);
  step.buffer(Role::source, source.buffer);
  if (prepared->bytes(Role::workspace) > 0) step.buffer(Role::workspace, keep_workspace(unit, *prepared));
  sources_[unit.layer] = source.buffer;
  step.buffer(Role::destination, define(unit, source.layout)).emit();
}

bool Lowering::only_dense_reads(LayerId id) const {
  const auto& readers = readers_[static_cast<std::size_t>(id)];
  return !readers.empty() && std::all_of(readers.begin(), readers.end(), [&](LayerId reader) {
    return std::holds_alternative<op::Dense>(graph_.layer(reader).op);
  });
}

// Dense layers read an image in any layout; for all other layers a flattened value is a plain row.
void Lowering::forward(const op::Flatten&, const Unit& unit) {
  const Stored source = value(unit.inputs[0]);
  if (only_dense_reads(unit.output)) {
    values_[unit.output] = source;
    return;
  }
  const DataType type = is_logits(unit.output) ? DataType::fp32 : source.layout.type();
  const Layout plain = Layout::plain(source.layout.dims(), type);
  const Layout row = Layout::plain(with_batch(graph_.layer(unit.layer).shape, options_.batch), type);
  if (source.layout == plain) {
    values_[unit.output] = {source.buffer, row};
    return;
  }
  line(unit, Phase::forward, kernels::prepare_reorder(device_, source.layout, plain))
      .buffer(Role::source, source.buffer)
      .buffer(Role::destination, define(unit, row))
      .emit();
}

void Lowering::forward_loss(const Unit& unit) {
  const auto problem = loss_problem(graph_, unit, form());
  const auto prepared = kernels::prepare_loss(problem);
  out_.logits = row(unit, unit.inputs[0]).buffer;
  out_.program.buffers[static_cast<std::size_t>(out_.logits)].persistent = true;
  if (problem.float_targets) {
    out_.targets = new_buffer("targets", prepared->bytes(Role::source2), true);
  } else {
    out_.labels = new_buffer("labels", prepared->bytes(Role::labels), true);
    out_.other_labels = new_buffer("other labels", prepared->bytes(Role::other_labels), true);
  }
  out_.losses = define(unit, prepared->layout(Role::destination));
  out_.program.buffers[static_cast<std::size_t>(out_.losses)].persistent = true;
  auto step = line(unit, Phase::forward, prepared);
  step.buffer(Role::source, out_.logits);
  if (problem.float_targets) {
    step.buffer(Role::source2, out_.targets);
  } else {
    step.buffer(Role::labels, out_.labels).buffer(Role::other_labels, out_.other_labels);
  }
  step.buffer(Role::destination, out_.losses).buffer(Role::workspace, keep_workspace(unit, *prepared)).emit();
}

}  // namespace convoy
