#include "convoy/base/check.h"
#include "convoy/engine/lowering.h"
#include "convoy/engine/problems.h"
#include "convoy/kernels/elementwise.h"
#include "convoy/kernels/reorder.h"

namespace convoy {

using kernels::Activation;
using kernels::Layout;
using kernels::Role;

bool Lowering::has_gradient(const Unit& unit) const {
  const auto at = gradients_.find(unit.output);
  return at != gradients_.end() && !at->second.empty();
}

// The gradient of the unit's output, with its summands added.
BufferId Lowering::gradient(const Unit& unit) {
  auto& parts = gradients_.at(unit.output);
  while (parts.size() > 1) {
    const BufferId b = parts.back();
    parts.pop_back();
    const BufferId a = parts.back();
    const Layout& layout = value(unit.output).layout;
    parts.back() = new_buffer(name(unit) + " gradient", layout.bytes());
    line(unit, Phase::backward, kernels::prepare_add(layout, Activation::none))
        .buffer(Role::source, a)
        .buffer(Role::source2, b)
        .buffer(Role::destination, parts.back())
        .in_place(Role::destination, Role::source)
        .in_place(Role::destination, Role::source2)
        .emit();
  }
  return parts.front();
}

// Max pooling knows where its maxima came from, so it passes no gradient to values that their activation stopped.
bool Lowering::only_max_pool_reads(LayerId id) const {
  const auto& readers = readers_[static_cast<std::size_t>(id)];
  return options_.fuse && readers.size() == 1 && std::holds_alternative<op::MaxPool>(graph_.layer(readers[0]).op);
}

// The gradient before the unit's activation.
BufferId Lowering::masked_gradient(const Unit& unit) {
  const BufferId whole = gradient(unit);
  if (unit.activation == Activation::none || only_max_pool_reads(unit.output)) return whole;
  const Stored& output = value(unit.output);
  const BufferId masked = new_buffer(name(unit) + " masked gradient", output.layout.bytes());
  line(unit, Phase::backward, kernels::prepare_activation_backward(output.layout, unit.activation))
      .buffer(Role::destination, output.buffer)
      .buffer(Role::diff_destination, whole)
      .buffer(Role::diff_source, masked)
      .in_place(Role::diff_source, Role::diff_destination)
      .emit();
  return masked;
}

// A new summand of the gradient of a value that the unit has read.
BufferId Lowering::new_gradient(LayerId id) {
  const BufferId buffer = new_buffer(graph_.layer(id).name + " gradient", value(id).layout.bytes());
  gradients_[id].push_back(buffer);
  return buffer;
}

// Converts the gradient with respect to the samples, if it is wanted, to plain floats.
void Lowering::backward(const op::Input&, const Unit& unit) {
  if (!trainable(unit.output) || !has_gradient(unit)) return;
  const Layout& layout = value(unit.output).layout;
  const Layout plain = Layout::plain(layout.dims());
  out_.input_gradient = new_buffer("gradient by the samples", plain.bytes(), true);
  line(unit, Phase::backward, kernels::prepare_reorder(device_, layout, plain))
      .buffer(Role::source, gradient(unit))
      .buffer(Role::destination, out_.input_gradient)
      .emit();
}

// For operators whose gradient is computed from their output.
void Lowering::backward_by_output(const Unit& unit, kernels::PreparedPtr prepared) {
  line(unit, Phase::backward, std::move(prepared))
      .buffer(Role::destination, value(unit.output).buffer)
      .buffer(Role::diff_destination, gradient(unit))
      .buffer(Role::diff_source, new_gradient(unit.inputs[0]))
      .in_place(Role::diff_source, Role::diff_destination)
      .emit();
}

void Lowering::backward(const op::Sigmoid&, const Unit& unit) {
  if (!has_gradient(unit) || !trainable(unit.inputs[0])) return;
  backward_by_output(
      unit, kernels::prepare_smooth_activation_backward(value(unit.output).layout, kernels::SmoothActivation::sigmoid));
}

void Lowering::backward(const op::Tanh&, const Unit& unit) {
  if (!has_gradient(unit) || !trainable(unit.inputs[0])) return;
  backward_by_output(
      unit, kernels::prepare_smooth_activation_backward(value(unit.output).layout, kernels::SmoothActivation::tanh));
}

void Lowering::backward(const op::Softmax&, const Unit& unit) {
  if (!has_gradient(unit) || !trainable(unit.inputs[0])) return;
  backward_by_output(unit, kernels::prepare_softmax_backward(value(unit.output).layout));
}

// The data gradient comes first, because the weights may be updated as soon as their gradient is complete.
void Lowering::backward_layer(const Unit& unit) {
  if (!has_gradient(unit)) return;
  const LayerKernels& layer = layers_.at(unit.layer);
  const int weight = parameter_index(unit.layer, ParameterRole::weight);
  const int bias = parameter_index(unit.layer, ParameterRole::bias);
  const BufferId masked = masked_gradient(unit);
  const double flops = layer_flops_.at(unit.layer);
  if (layer.backward_data != nullptr) {
    line(unit, Phase::backward_data, layer.backward_data)
        .buffer(Role::diff_destination, masked)
        .weights(weight)
        .buffer(Role::diff_source, new_gradient(unit.inputs[0]))
        .flops(flops)
        .emit();
  }
  if (layer.backward_weights == nullptr) return;
  auto step = line(unit, Phase::backward_weights, layer.backward_weights);
  step.buffer(Role::source, sources_.at(unit.layer)).buffer(Role::diff_destination, masked);
  // The kernel computes both gradients; one that is not needed goes to an unused buffer.
  const auto give = [&](Role role, int parameter) {
    if (learns(parameter)) {
      step.gradient(role, parameter);
    } else {
      step.buffer(role, new_buffer(name(unit) + " unused", layer.backward_weights->bytes(role)));
    }
  };
  give(Role::diff_weights, weight);
  if (bias >= 0) give(Role::diff_bias, bias);
  step.flops(flops).emit();
}

// The kernel itself adds two summands; more than two are added before.
Lowering::NormGradient Lowering::norm_gradient(const Unit& unit) {
  const auto& parts = gradients_.at(unit.output);
  NormGradient result;
  if (parts.size() == 2) {
    result = {.first = parts[0], .second = parts[1]};
  } else {
    result.first = gradient(unit);
  }
  if (!unit.shortcut || !trainable(unit.inputs[1])) return result;
  result.write_shortcut = result.second >= 0 || unit.activation != Activation::none;
  // Without an activation and a second summand, the shortcut's gradient is the output's own.
  if (!result.write_shortcut) gradients_[unit.inputs[1]].push_back(result.first);
  return result;
}

void Lowering::give_norm_gradient(Line& step, const Unit& unit, const NormGradient& given) {
  step.buffer(Role::diff_destination, given.first);
  if (given.second >= 0) step.buffer(Role::diff_destination2, given.second);
  if (!given.write_shortcut) return;
  step.buffer(Role::diff_source2, new_gradient(unit.inputs[1])).in_place(Role::diff_source2, Role::diff_destination);
}

void Lowering::backward(const op::BatchNorm&, const Unit& unit) {
  if (!has_gradient(unit)) return;
  if (!learns(unit.layer, ParameterRole::scale)) return backward_frozen_batch_norm(unit);
  const NormGradient given = norm_gradient(unit);
  const auto prepared = kernels::prepare_batch_norm_backward(
      batch_norm_problem(graph_, unit, form()),
      {.two_gradients = given.second >= 0, .write_shortcut_gradient = given.write_shortcut});
  auto step = line(unit, Phase::backward, prepared);
  step.buffer(Role::source, sources_.at(unit.layer))
      .parameter(Role::weights, parameter_index(unit.layer, ParameterRole::scale))
      .parameter(Role::bias, parameter_index(unit.layer, ParameterRole::shift))
      .buffer(Role::workspace, workspaces_.at(unit.layer))
      .step_info();
  if (!prepared->layout(Role::destination).empty()) step.buffer(Role::destination, value(unit.output).buffer);
  give_norm_gradient(step, unit, given);
  // The kernel always writes this gradient. For samples it is not needed, and their layout differs, so it goes to an
  // unused buffer.
  const LayerId input = unit.inputs[0];
  const BufferId diff_source =
      trainable(input) ? new_gradient(input) : new_buffer(name(unit) + " unused", prepared->bytes(Role::diff_source));
  step.buffer(Role::diff_source, diff_source)
      .in_place(Role::diff_source, Role::source)
      .gradient(Role::diff_weights, parameter_index(unit.layer, ParameterRole::scale))
      .gradient(Role::diff_bias, parameter_index(unit.layer, ParameterRole::shift))
      .emit();
}

// With fixed statistics batch norm is an affine map, so its source need not be kept.
void Lowering::backward_frozen_batch_norm(const Unit& unit) {
  if (!trainable(unit.inputs[0])) {  // then the gradient is only needed for the shortcut
    gradients_[unit.inputs[1]].push_back(masked_gradient(unit));
    return;
  }
  const NormGradient given = norm_gradient(unit);
  const auto prepared = kernels::prepare_batch_norm_inference_backward(
      batch_norm_problem(graph_, unit, form()),
      {.two_gradients = given.second >= 0, .write_shortcut_gradient = given.write_shortcut});
  auto step = line(unit, Phase::backward, prepared);
  step.parameter(Role::weights, parameter_index(unit.layer, ParameterRole::scale))
      .statistics(Role::running_variance, statistics_index(unit.layer) + 1);
  if (!prepared->layout(Role::destination).empty()) step.buffer(Role::destination, value(unit.output).buffer);
  give_norm_gradient(step, unit, given);
  step.buffer(Role::diff_source, new_gradient(unit.inputs[0]))
      .in_place(Role::diff_source, Role::diff_destination)
      .emit();
}

void Lowering::backward_sample_norm(const Unit& unit) {
  if (!has_gradient(unit)) return;
  const int scale = parameter_index(unit.layer, ParameterRole::scale);
  const int shift = parameter_index(unit.layer, ParameterRole::shift);
  const Layout& layout = value(unit.output).layout;
  const auto prepared = kernels::prepare_sample_norm_backward(sample_norm_problem(graph_, unit, layout));
  const bool wants_source = trainable(unit.inputs[0]);
  const BufferId diff_source =
      wants_source ? new_gradient(unit.inputs[0]) : new_buffer(name(unit) + " unused", layout.bytes());
  auto step = line(unit, Phase::backward, prepared);
  step.buffer(Role::source, sources_.at(unit.layer))
      .parameter(Role::weights, scale)
      .buffer(Role::workspace, workspaces_.at(unit.layer))
      .buffer(Role::diff_destination, gradient(unit))
      .buffer(Role::diff_source, diff_source);
  // The kernel computes all gradients; one that is not needed goes to an unused buffer.
  const auto give = [&](Role role, int parameter) {
    if (learns(parameter)) {
      step.gradient(role, parameter);
    } else {
      step.buffer(role, new_buffer(name(unit) + " unused", prepared->bytes(role)));
    }
  };
  give(Role::diff_weights, scale);
  give(Role::diff_bias, shift);
  step.emit();
}

void Lowering::backward_activation(const Unit& unit) {
  if (!has_gradient(unit) || !trainable(unit.inputs[0])) return;
  gradients_[unit.inputs[0]].push_back(masked_gradient(unit));
}

void Lowering::backward_pooling(const Unit& unit) {
  if (!has_gradient(unit) || !trainable(unit.inputs[0])) return;
  const auto prepared = kernels::prepare_pooling_backward(pooling_problem(graph_, unit, form()));
  auto step = line(unit, Phase::backward, prepared);
  step.buffer(Role::diff_destination, gradient(unit));
  if (prepared->bytes(Role::workspace) > 0) step.buffer(Role::workspace, workspaces_.at(unit.layer));
  step.buffer(Role::diff_source, new_gradient(unit.inputs[0])).emit();
}

void Lowering::backward(const op::Add&, const Unit& unit) {
  if (!has_gradient(unit)) return;
  const BufferId masked = masked_gradient(unit);
  for (const LayerId input : unit.inputs) {
    if (trainable(input)) gradients_[input].push_back(masked);
  }
}

void Lowering::backward(const op::Concat&, const Unit& unit) {
  if (!has_gradient(unit)) return;
  const BufferId whole = gradient(unit);
  for (std::size_t i = 0; i < unit.inputs.size(); ++i) {
    if (!trainable(unit.inputs[i])) continue;
    const auto copy = reversed(concat_copy(graph_, unit, form(), static_cast<int>(i)));
    line(unit, Phase::backward, kernels::prepare_channel_copy(copy, Role::diff_destination, Role::diff_source))
        .buffer(Role::diff_destination, whole)
        .buffer(Role::diff_source, new_gradient(unit.inputs[i]))
        .emit();
  }
}

void Lowering::backward(const op::PadChannels&, const Unit& unit) {
  if (!has_gradient(unit) || !trainable(unit.inputs[0])) return;
  const auto copy = reversed(pad_channels_copy(graph_, unit, form()));
  line(unit, Phase::backward, kernels::prepare_channel_copy(copy, Role::diff_destination, Role::diff_source))
      .buffer(Role::diff_destination, gradient(unit))
      .buffer(Role::diff_source, new_gradient(unit.inputs[0]))
      .emit();
}

void Lowering::backward(const op::Dropout& op, const Unit& unit) {
  if (!has_gradient(unit) || !trainable(unit.inputs[0])) return;
  if (op.rate == 0.0F) {
    gradients_[unit.inputs[0]].push_back(gradient(unit));
    return;
  }
  const Layout& layout = value(unit.output).layout;
  line(unit, Phase::backward, kernels::prepare_dropout_backward(layout, op.rate))
      .buffer(Role::diff_destination, gradient(unit))
      .buffer(Role::workspace, workspaces_.at(unit.layer))
      .buffer(Role::diff_source, new_gradient(unit.inputs[0]))
      .in_place(Role::diff_source, Role::diff_destination)
      .emit();
}

void Lowering::backward(const op::Lrn&, const Unit& unit) {
  if (!has_gradient(unit) || !trainable(unit.inputs[0])) return;
  const auto prepared = kernels::prepare_lrn_backward(device_, lrn_problem(graph_, unit, form()));
  auto step = line(unit, Phase::backward, prepared);
  step.buffer(Role::source, sources_.at(unit.layer)).buffer(Role::diff_destination, gradient(unit));
  if (prepared->bytes(Role::workspace) > 0) step.buffer(Role::workspace, workspaces_.at(unit.layer));
  step.buffer(Role::diff_source, new_gradient(unit.inputs[0])).emit();
}

void Lowering::backward(const op::Flatten&, const Unit& unit) {
  if (!has_gradient(unit) || !trainable(unit.inputs[0])) return;
  const Stored& source = value(unit.inputs[0]);
  const Stored& flat = value(unit.output);
  if (source.buffer == flat.buffer) {
    gradients_[unit.inputs[0]].push_back(gradient(unit));
    return;
  }
  const Layout plain = Layout::plain(source.layout.dims(), flat.layout.type());
  line(unit, Phase::backward, kernels::prepare_reorder(device_, plain, source.layout))
      .buffer(Role::source, gradient(unit))
      .buffer(Role::destination, new_gradient(unit.inputs[0]))
      .emit();
}

void Lowering::backward_loss(const Unit& unit) {
  const LayerId input = unit.inputs[0];
  if (!trainable(input)) return;
  const auto prepared = kernels::prepare_loss_backward(loss_problem(graph_, unit, form()));
  const Layout& logits = value(input).layout;
  const bool rows_of_floats = logits.type() == DataType::fp32;
  const BufferId gradient =
      rows_of_floats ? new_gradient(input) : new_buffer(name(unit) + " gradient", prepared->bytes(Role::diff_source));
  line(unit, Phase::backward, prepared)
      .buffer(Role::workspace, workspaces_.at(unit.layer))
      .buffer(Role::diff_source, gradient)
      .step_info()
      .emit();
  if (rows_of_floats) return;
  line(unit, Phase::backward, kernels::prepare_reorder(device_, Layout::plain(logits.dims()), logits))
      .buffer(Role::source, gradient)
      .buffer(Role::destination, new_gradient(input))
      .emit();
}

}  // namespace convoy
