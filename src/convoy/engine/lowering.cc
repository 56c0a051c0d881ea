#include "convoy/engine/lowering.h"

#include <fmt/format.h>

#include <algorithm>

#include "convoy/base/check.h"
#include "convoy/engine/parameter_table.h"
#include "convoy/engine/problems.h"
#include "convoy/graph/parameters.h"
#include "convoy/kernels/batch_norm.h"
#include "convoy/kernels/reorder.h"

namespace convoy {

using kernels::Layout;
using kernels::Role;

Lowering::Line::Line(Lowering& lowering, const Unit& unit, Phase phase, kernels::PreparedPtr prepared)
    : lowering_(lowering), instruction_{.layer = unit.layer, .phase = phase, .prepared = std::move(prepared)} {}

Lowering::Line& Lowering::Line::buffer(Role role, BufferId id) {
  CONVOY_CHECK_LE(0, id);
  instruction_.operands.push_back({role, Space::buffer, id});
  return *this;
}

Lowering::Line& Lowering::Line::parameter(Role role, int index) {
  instruction_.operands.push_back({role, Space::parameter, index});
  return *this;
}

Lowering::Line& Lowering::Line::weights(int index) {
  const bool copied = lowering_.out_.parameters.entries[static_cast<std::size_t>(index)].copied;
  instruction_.operands.push_back({Role::weights, copied ? Space::copy : Space::parameter, index});
  return *this;
}

Lowering::Line& Lowering::Line::gradient(Role role, int index) {
  instruction_.operands.push_back({role, Space::gradient, index});
  instruction_.ready.push_back(index);
  return *this;
}

Lowering::Line& Lowering::Line::statistics(Role role, int index) {
  instruction_.operands.push_back({role, Space::statistics, index});
  return *this;
}

Lowering::Line& Lowering::Line::step_info() {
  instruction_.operands.push_back({Role::step_info, Space::step_info, 0});
  return *this;
}

Lowering::Line& Lowering::Line::in_place(Role output, Role input) {
  instruction_.in_place.emplace_back(output, input);
  return *this;
}

Lowering::Line& Lowering::Line::flops(double count) {
  instruction_.flops = count;
  return *this;
}

void Lowering::Line::emit() { lowering_.out_.program.instructions.push_back(std::move(instruction_)); }

Lowering::Lowering(const Graph& graph, const kernels::Device& device, Tuner& tuner, const LoweringOptions& options)
    : graph_(graph),
      device_(device),
      tuner_(tuner),
      options_(options),
      readers_(graph.readers()),
      frozen_(frozen_parameters(graph, options.frozen)) {}

Lowered Lowering::run() {
  list_parameters();
  find_trainable_values();
  const std::vector<Unit> units = make_units(graph_, options_.fuse, options_.kept);
  for (const Unit& unit : units) {
    activations_[unit.output] = unit.activation;
    std::visit([&](const auto& op) { forward(op, unit); }, graph_.layer(unit.layer).op);
    if (options_.kept.contains(unit.output)) keep(unit);
  }
  if (out_.logits < 0) {
    out_.logits = row(units.back(), graph_.output()).buffer;
    out_.program.buffers[static_cast<std::size_t>(out_.logits)].persistent = true;
  }
  out_.program.forward_count = static_cast<int>(out_.program.instructions.size());
  if (options_.training) {
    for (std::size_t i = units.size(); i-- > 0;) {
      std::visit([&](const auto& op) { backward(op, units[i]); }, graph_.layer(units[i].layer).op);
    }
  }
  return std::move(out_);
}

// Keeps the unit's output as plain floats, in memory that nothing else uses.
void Lowering::keep(const Unit& unit) {
  const BufferId buffer = row(unit, unit.output).buffer;
  out_.program.buffers[static_cast<std::size_t>(buffer)].persistent = true;
  out_.kept[unit.output] = buffer;
}

void Lowering::list_parameters() {
  for (const Parameter& parameter : parameters_of(graph_)) {
    // The weights of layers get their layout when their kernels are chosen.
    const Layout plain = Layout::plain(parameter.shape.dims());
    out_.parameters.entries.push_back({.parameter = parameter, .plain = plain, .layout = plain});
  }
  for (LayerId id = 0; id < graph_.size(); ++id) {
    const Layer& layer = graph_.layer(id);
    if (!std::holds_alternative<op::BatchNorm>(layer.op)) continue;
    const std::size_t floats = kernels::channel_array_bytes(layer.shape[0]) / sizeof(float);
    for (const char* kind : {"running_mean", "running_var"}) {
      out_.parameters.statistics.push_back({.name = fmt::format("{}.{}", layer.name, kind),
                                            .layer = id,
                                            .channels = layer.shape[0],
                                            .slice = {out_.parameters.statistics_floats, floats}});
      out_.parameters.statistics_floats += floats;
    }
  }
}

// Finds the values that depend on a trainable parameter, of their own layer or an earlier one.
void Lowering::find_trainable_values() {
  trainable_.assign(static_cast<std::size_t>(graph_.size()), false);
  for (std::size_t i = 0; i < frozen_.size(); ++i) {
    const LayerId layer = out_.parameters.entries[i].parameter.layer;
    if (learns(static_cast<int>(i))) trainable_[static_cast<std::size_t>(layer)] = true;
  }
  if (options_.training && options_.input_gradient) trainable_[0] = true;
  for (LayerId id = 0; id < graph_.size(); ++id) {
    const auto& inputs = graph_.layer(id).inputs;
    if (std::any_of(inputs.begin(), inputs.end(), [&](LayerId input) { return trainable(input); })) {
      trainable_[static_cast<std::size_t>(id)] = true;
    }
  }
}

BufferId Lowering::new_buffer(std::string name, std::size_t bytes, bool persistent) {
  out_.program.buffers.push_back({std::move(name), bytes, persistent});
  return static_cast<BufferId>(out_.program.buffers.size()) - 1;
}

BufferId Lowering::define(const Unit& unit, const Layout& layout) {
  const BufferId buffer = new_buffer(name(unit), layout.bytes());
  values_[unit.output] = {buffer, layout};
  return buffer;
}

// The value in another layout, copied there once.
Lowering::Stored Lowering::converted(const Unit& unit, LayerId id, const Layout& layout) {
  const Stored& stored = value(id);
  if (stored.layout == layout) return stored;
  Stored& copy = converted_[{id, layout.describe()}];
  if (copy.buffer >= 0) return copy;
  copy = {new_buffer(fmt::format("{} as {}", graph_.layer(id).name, layout.describe()), layout.bytes()), layout};
  line(unit, Phase::forward, kernels::prepare_reorder(device_, stored.layout, layout))
      .buffer(Role::source, stored.buffer)
      .buffer(Role::destination, copy.buffer)
      .emit();
  return copy;
}

// The value in the plan's type and its own layout. Only samples and logits have another type.
Lowering::Stored Lowering::typed(const Unit& unit, LayerId id) {
  return converted(unit, id, value(id).layout.with(options_.type));
}

// The value in the blocked layout. Only the samples are not in it already.
Lowering::Stored Lowering::image(const Unit& unit, LayerId id) {
  return converted(unit, id, Layout::blocked(value(id).layout.dims(), options_.type));
}

// The value as plain rows of floats.
Lowering::Stored Lowering::row(const Unit& unit, LayerId id) {
  return converted(unit, id, Layout::plain(value(id).layout.dims()));
}

// Whether it is what the loss reads, or the graph's last output.
bool Lowering::is_logits(LayerId id) const {
  const auto& readers = readers_[static_cast<std::size_t>(id)];
  return id == graph_.output() ||
         std::ranges::any_of(readers, [&](LayerId reader) { return is_loss(graph_.layer(reader).op); });
}

int Lowering::parameter_index(LayerId layer, ParameterRole role) const {
  const auto& entries = out_.parameters.entries;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (entries[i].parameter.layer == layer && entries[i].parameter.role == role) return static_cast<int>(i);
  }
  return -1;
}

void Lowering::set_layout(int parameter, const Layout::Dims& dims, const Layout& layout) {
  ParameterEntry& entry = out_.parameters.entries[static_cast<std::size_t>(parameter)];
  entry.plain = Layout::plain(dims);
  entry.layout = layout.with(DataType::fp32);
  entry.copied = layout.type() == DataType::bf16;
}

int Lowering::statistics_index(LayerId layer) const {
  const auto& entries = out_.parameters.statistics;
  const auto at = std::find_if(entries.begin(), entries.end(), [&](const auto& entry) { return entry.layer == layer; });
  CONVOY_CHECK(at != entries.end());
  return static_cast<int>(at - entries.begin());
}

BufferId Lowering::keep_workspace(const Unit& unit, const kernels::Prepared& prepared) {
  const BufferId buffer = new_buffer(name(unit) + " workspace", prepared.bytes(Role::workspace));
  workspaces_[unit.layer] = buffer;
  return buffer;
}

}  // namespace convoy
