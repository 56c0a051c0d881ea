#include "convoy/train/dense_measures.h"

#include <algorithm>
#include <vector>

#include "convoy/base/clock.h"
#include "convoy/optim/optimizer.h"

namespace convoy {
namespace {

using kernels::Role;

// The second of two runs: the first is slower.
template <typename Run>
double second_run(const Run& run) {
  run();
  const auto begin = Clock::now();
  run();
  return seconds_since(begin);
}

// Of one instruction, with weights of the network and other operands of its own.
double seconds_of(const Instruction& instruction, const Plan& plan, ParameterStore& store) {
  kernels::Bindings memory;
  std::vector<AlignedBuffer> buffers;
  const auto bind = [&](Role role) {
    buffers.emplace_back(instruction.prepared->bytes(role));
    memory.set(role, buffers.back().data());
  };
  bind(Role::scratchpad);
  for (const Operand& operand : instruction.operands) {
    const auto index = static_cast<std::size_t>(operand.index);
    if (operand.space == Space::parameter) {
      memory.set(operand.role, store.parameters().data() + store.table().entries[index].slice.offset);
    } else if (operand.space == Space::copy) {
      memory.set(operand.role, store.copies().data() + store.table().entries[index].slice.offset);
    } else {
      bind(operand.role);
    }
  }
  const std::unique_ptr<kernels::Kernel> kernel = instruction.prepared->bind(memory);
  plan.device->use();
  return second_run([&] { kernel->run(); });
}

}  // namespace

double passes_seconds(Network& network, LayerId layer) {
  double seconds = 0;
  for (const Instruction& instruction : network.plan().program.instructions) {
    const bool is_pass = instruction.phase == Phase::forward || instruction.phase == Phase::backward_data;
    if (instruction.layer != layer || !is_pass || !instruction.has(Role::weights)) continue;
    seconds += seconds_of(instruction, network.plan(), network.parameters());
  }
  return seconds;
}

// Tries as many as no cache holds.
double update_seconds(const OptimizerOptions& options, std::size_t parameters) {
  const std::size_t tried = std::min(parameters, std::size_t{1} << 22);
  if (tried == 0) return 0;
  const ArenaSlice all{.offset = 0, .count = tried};
  const auto optimizer = make_optimizer(options, tried, std::nullopt, {all});
  std::vector<float> values(tried);
  const std::vector<float> gradients(tried);
  const double seconds = second_run([&] {
    optimizer->begin_step(0);
    optimizer->measure(0, values, gradients);
    optimizer->update(0, values, gradients);
  });
  return seconds * static_cast<double>(parameters) / static_cast<double>(tried);
}

}  // namespace convoy
