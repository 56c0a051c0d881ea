#include "convoy/engine/executor.h"

#include "convoy/base/check.h"
#include "convoy/base/clock.h"

namespace convoy {

using kernels::Role;

Executor::Executor(Plan plan, ParameterStore& store, const kernels::StepInfo& step_info, std::span<std::byte> working)
    : plan_(std::move(plan)), working_(working) {
  CONVOY_CHECK_LE(plan_.working_bytes(), working.size());
  plan_.device->use();
  for (const Instruction& instruction : plan_.program.instructions) {
    kernels::Bindings bindings;
    bindings.set(Role::scratchpad, working_.data() + plan_.memory.bytes);
    for (const Operand& operand : instruction.operands) {
      bindings.set(operand.role, address(operand, store, step_info));
    }
    kernels_.push_back(instruction.prepared->bind(bindings));
  }
}

void* Executor::address(const Operand& operand, ParameterStore& store, const kernels::StepInfo& info) const {
  const auto index = static_cast<std::size_t>(operand.index);
  const ParameterTable& table = store.table();
  switch (operand.space) {
    case Space::buffer:
      return working_.data() + plan_.memory.offsets[index];
    case Space::parameter:
      return store.parameters().data() + table.entries[index].slice.offset;
    case Space::copy:
      return store.copies().data() + table.entries[index].slice.offset;
    case Space::gradient:
      return store.gradients().data() + table.entries[index].slice.offset;
    case Space::statistics:
      return store.statistics().data() + table.statistics[index].slice.offset;
    case Space::step_info:
      return const_cast<kernels::StepInfo*>(&info);  // NOLINT: kernels only read it
  }
  return nullptr;
}

void Executor::run(std::size_t instruction, Profile* profile) {
  if (profile == nullptr) {
    kernels_[instruction]->run();
    return;
  }
  const auto begin = Clock::now();
  kernels_[instruction]->run();
  (*profile)[instruction] += seconds_since(begin);
}

void Executor::forward(const ParameterNeeded& before_reading, const LayerTaking& elsewhere, Profile* profile) {
  plan_.device->use();
  const auto end = static_cast<std::size_t>(plan_.program.forward_count);
  for (std::size_t i = 0; i < end; ++i) {
    const Instruction& instruction = plan_.program.instructions[i];
    if (before_reading) tell_parameters(instruction, before_reading);
    if (!pass_on(instruction, elsewhere)) run(i, profile);
  }
}

void Executor::tell_parameters(const Instruction& instruction, const ParameterNeeded& before_reading) const {
  for (const Operand& operand : instruction.operands) {
    if (operand.space != Space::parameter && operand.space != Space::copy) continue;
    if (!plan_.parameters.trainable(operand.index)) continue;
    before_reading(plan_.parameters.entries[static_cast<std::size_t>(operand.index)].slice);
  }
}

std::span<std::byte> Executor::buffer_of(const Instruction& instruction, Role role) const {
  const auto id = static_cast<std::size_t>(instruction.buffer(role));
  return {working_.data() + plan_.memory.offsets[id], plan_.program.buffers[id].bytes};
}

// Whether something else computes the instruction, and has done so now. Conversions of the layer's operands are left to
// their kernels.
bool Executor::pass_on(const Instruction& instruction, const LayerTaking& elsewhere) const {
  if (!elsewhere.layers.contains(instruction.layer)) return false;
  const LayerId layer = instruction.layer;
  switch (instruction.phase) {
    case Phase::forward:
      if (!instruction.has(Role::weights)) return false;
      elsewhere.forward(layer, buffer_of(instruction, Role::source), buffer_of(instruction, Role::destination));
      return true;
    case Phase::backward_data:
      elsewhere.backward_data(layer, buffer_of(instruction, Role::diff_destination),
                              buffer_of(instruction, Role::diff_source));
      return true;
    case Phase::backward_weights:
      elsewhere.backward_weights(layer, buffer_of(instruction, Role::diff_destination));
      return true;
    case Phase::backward:
      return false;
  }
  return false;
}

bool Executor::pass_on(const Instruction& instruction, const FactorTaking& factors) const {
  if (instruction.phase != Phase::backward_weights || !factors.layers.contains(instruction.layer)) return false;
  factors.take(instruction.layer, buffer_of(instruction, Role::source), buffer_of(instruction, Role::diff_destination));
  return true;
}

void Executor::backward(const GradientReady& on_gradient_ready, const FactorTaking& factors,
                        const LayerTaking& elsewhere, Profile* profile) {
  plan_.device->use();
  const auto begin = static_cast<std::size_t>(plan_.program.forward_count);
  for (std::size_t i = begin; i < kernels_.size(); ++i) {
    const Instruction& instruction = plan_.program.instructions[i];
    if (!pass_on(instruction, factors) && !pass_on(instruction, elsewhere)) run(i, profile);
    if (!on_gradient_ready) continue;
    for (const int parameter : instruction.ready) {
      on_gradient_ready(plan_.parameters.entries[static_cast<std::size_t>(parameter)].slice);
    }
  }
}

}  // namespace convoy
