// A compiled network before it has memory: instructions over numbered buffers. Passes over it (in_place.h,
// memory_plan.h) are pure and do not depend on kernels.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "convoy/graph/graph.h"
#include "convoy/kernels/kernel.h"

namespace convoy {

using BufferId = int;

struct Buffer {
  std::string name;
  std::size_t bytes = 0;
  // Keeps its contents from step to step or is read from outside, so it never shares memory with another buffer.
  bool persistent = false;
};

// Where an operand is.
enum class Space : std::uint8_t {
  buffer,      // index: BufferId
  parameter,   // index: into the parameter table
  copy,        // of that parameter, in bf16
  gradient,    // of that parameter
  statistics,  // index: into the table of running statistics
  step_info,
};

struct Operand {
  kernels::Role role;
  Space space = Space::buffer;
  int index = 0;
};

enum class Phase : std::uint8_t { forward, backward, backward_data, backward_weights };

[[nodiscard]] const char* name_of(Phase phase);

struct Instruction {
  LayerId layer;
  Phase phase;
  kernels::PreparedPtr prepared;
  std::vector<Operand> operands;
  // (output, input): the output may use the input's memory if the input is no longer needed.
  std::vector<std::pair<kernels::Role, kernels::Role>> in_place;
  // The parameters whose gradients are complete after this instruction and which no later instruction reads.
  std::vector<int> ready;
  double flops = 0;

  // Whether it has an operand in that role.
  [[nodiscard]] bool has(kernels::Role role) const;
  // The buffer bound to a role, or -1.
  [[nodiscard]] BufferId buffer(kernels::Role role) const;
};

struct Program {
  std::vector<Buffer> buffers;
  std::vector<Instruction> instructions;  // forward, then backward
  int forward_count = 0;
};

}  // namespace convoy
