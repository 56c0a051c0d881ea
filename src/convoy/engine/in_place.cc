#include "convoy/engine/in_place.h"

#include <algorithm>
#include <numeric>

#include "convoy/engine/memory_plan.h"

namespace convoy {
namespace {

using Renumbering = std::vector<BufferId>;

BufferId root(const Renumbering& renumbering, BufferId id) {
  while (renumbering[static_cast<std::size_t>(id)] != id) id = renumbering[static_cast<std::size_t>(id)];
  return id;
}

// How many operands of the instruction are in the buffer.
auto uses(const Instruction& instruction, const Renumbering& renumbering, BufferId id) {
  return std::count_if(instruction.operands.begin(), instruction.operands.end(), [&](const Operand& operand) {
    return operand.space == Space::buffer && root(renumbering, operand.index) == id;
  });
}

}  // namespace

void share_in_place(Program& program) {
  std::vector<Lifetime> lifetimes = lifetimes_of(program);
  Renumbering renumbering(program.buffers.size());
  std::iota(renumbering.begin(), renumbering.end(), 0);
  for (int i = 0; i < static_cast<int>(program.instructions.size()); ++i) {
    const Instruction& instruction = program.instructions[static_cast<std::size_t>(i)];
    for (const auto& [output_role, input_role] : instruction.in_place) {
      const BufferId output = instruction.buffer(output_role);
      if (output < 0 || instruction.buffer(input_role) < 0) continue;
      const BufferId input = root(renumbering, instruction.buffer(input_role));
      const auto in = static_cast<std::size_t>(input);
      const auto out = static_cast<std::size_t>(output);
      const bool free_to_take = root(renumbering, output) == output && lifetimes[out].first == i &&
                                lifetimes[in].last == i && uses(instruction, renumbering, input) == 1;
      if (!free_to_take || program.buffers[in].persistent || program.buffers[out].persistent) continue;
      if (program.buffers[out].bytes > program.buffers[in].bytes) continue;
      renumbering[out] = input;
      lifetimes[in].last = lifetimes[out].last;
    }
  }
  for (Instruction& instruction : program.instructions) {
    for (Operand& operand : instruction.operands) {
      if (operand.space == Space::buffer) operand.index = root(renumbering, operand.index);
    }
  }
}

}  // namespace convoy
