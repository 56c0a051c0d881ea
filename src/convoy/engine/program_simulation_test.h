// Runs a program without kernels, on memory in which every cell remembers which write filled it: each read must find
// what it would have found if every buffer had its own memory.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "convoy/base/check.h"
#include "convoy/engine/memory_plan.h"
#include "convoy/engine/program.h"

namespace convoy {

inline bool writes(const Instruction& instruction, kernels::Role role) {
  using kernels::Role;
  switch (role) {
    case Role::diff_source:
    case Role::diff_source2:
    case Role::diff_weights:
    case Role::diff_bias:
      return true;
    case Role::destination:
      // A backward pass reads the result of its forward pass.
      return instruction.buffer(Role::diff_destination) < 0;
    case Role::workspace:
      return instruction.phase == Phase::forward;
    default:
      return false;
  }
}

class ProgramSimulation {
 public:
  // In `apart` each value has its own buffer; `shared` is the same program after share_in_place.
  ProgramSimulation(const Program& apart, const Program& shared, const MemoryPlan& plan)
      : apart_(apart), shared_(shared), plan_(plan), cells_(plan.bytes / kCell), versions_(apart.buffers.size()) {}

  // Runs one step. The caller of a network fills persistent buffers before it and reads them after it.
  testing::AssertionResult step() {
    for (std::size_t b = 0; b < apart_.buffers.size(); ++b) {
      if (apart_.buffers[b].persistent) {
        stamp(static_cast<BufferId>(b), static_cast<BufferId>(b));
      }
    }
    started_.assign(apart_.buffers.size(), false);
    for (std::size_t i = 0; i < apart_.instructions.size(); ++i) {
      if (auto result = run(apart_.instructions[i], shared_.instructions[i]); !result) {
        return result << " in instruction " << i;
      }
    }
    for (std::size_t b = 0; b < apart_.buffers.size(); ++b) {
      const auto id = static_cast<BufferId>(b);
      if (apart_.buffers[b].persistent && !intact(id, id)) {
        return testing::AssertionFailure() << "persistent buffer " << b << " was lost";
      }
    }
    return testing::AssertionSuccess();
  }

 private:
  static constexpr std::size_t kCell = 64;

  // The cells of a value that is stored in buffer `home`, which may be larger.
  [[nodiscard]] std::pair<std::size_t, std::size_t> range(BufferId value, BufferId home) const {
    const std::size_t bytes = apart_.buffers[static_cast<std::size_t>(value)].bytes;
    const std::size_t offset = plan_.offsets[static_cast<std::size_t>(home)];
    CONVOY_CHECK_EQ(offset % kCell, 0U);
    return {offset / kCell, (offset + bytes + kCell - 1) / kCell};
  }

  void stamp(BufferId value, BufferId home) {
    versions_[static_cast<std::size_t>(value)] = ++last_version_;
    const auto [begin, end] = range(value, home);
    CONVOY_CHECK_LE(end, cells_.size());
    for (std::size_t cell = begin; cell < end; ++cell) {
      cells_[cell] = last_version_;
    }
  }

  [[nodiscard]] bool intact(BufferId value, BufferId home) const {
    const auto [begin, end] = range(value, home);
    for (std::size_t cell = begin; cell < end; ++cell) {
      if (cells_[cell] != versions_[static_cast<std::size_t>(value)]) {
        return false;
      }
    }
    return true;
  }

  [[nodiscard]] static bool offered(const Instruction& instruction, kernels::Role output, kernels::Role input) {
    for (const auto& pair : instruction.in_place) {
      if (pair == std::pair(output, input)) {
        return true;
      }
    }
    return false;
  }

  // Whether an operand may be written to its memory: an instruction still reads its inputs while it writes.
  testing::AssertionResult may_write(const Instruction& apart, const Instruction& shared, std::size_t output) {
    const auto [begin, end] = range(apart.operands[output].index, shared.operands[output].index);
    for (std::size_t k = 0; k < apart.operands.size(); ++k) {
      const Operand& other = apart.operands[k];
      if (k == output || other.space != Space::buffer) {
        continue;
      }
      const auto [other_begin, other_end] = range(other.index, shared.operands[k].index);
      const bool apart_in_memory = other_end <= begin || end <= other_begin;
      const bool allowed =
          begin == other_begin && !writes(apart, other.role) && offered(apart, apart.operands[output].role, other.role);
      if (!apart_in_memory && !allowed) {
        return testing::AssertionFailure() << "operand " << output << " is written over operand " << k;
      }
    }
    return testing::AssertionSuccess();
  }

  testing::AssertionResult run(const Instruction& apart, const Instruction& shared) {
    std::vector<std::size_t> outputs;
    for (std::size_t k = 0; k < apart.operands.size(); ++k) {
      const Operand& operand = apart.operands[k];
      if (operand.space != Space::buffer) {
        continue;
      }
      const bool is_output = writes(apart, operand.role);
      // A second write fills another part of the buffer, as for the inputs of a concatenation.
      const bool adds = is_output && started_[static_cast<std::size_t>(operand.index)];
      if ((!is_output || adds) && !intact(operand.index, shared.operands[k].index)) {
        return testing::AssertionFailure() << "operand " << k << " has been overwritten";
      }
      if (is_output) {
        outputs.push_back(k);
      }
    }
    for (const std::size_t k : outputs) {
      if (auto result = may_write(apart, shared, k); !result) {
        return result;
      }
      stamp(apart.operands[k].index, shared.operands[k].index);
      started_[static_cast<std::size_t>(apart.operands[k].index)] = true;
    }
    return testing::AssertionSuccess();
  }

  const Program& apart_;
  const Program& shared_;
  const MemoryPlan& plan_;
  std::vector<std::uint64_t> cells_;
  std::vector<std::uint64_t> versions_;  // per value: the write that it should contain
  std::vector<bool> started_;            // per value: whether it was written in this step
  std::uint64_t last_version_ = 0;
};

// Runs two steps, so that what one leaves behind is not mistaken for a result of the next.
inline testing::AssertionResult runs_as_if_apart(const Program& apart, const Program& shared, const MemoryPlan& plan) {
  ProgramSimulation simulation(apart, shared, plan);
  if (auto first = simulation.step(); !first) {
    return first;
  }
  return simulation.step();
}

}  // namespace convoy
