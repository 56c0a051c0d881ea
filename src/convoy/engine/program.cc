#include "convoy/engine/program.h"

#include <algorithm>

namespace convoy {

const char* name_of(Phase phase) {
  switch (phase) {
    case Phase::forward:
      return "forward";
    case Phase::backward:
      return "backward";
    case Phase::backward_data:
      return "backward data";
    case Phase::backward_weights:
      return "backward weights";
  }
  return "";
}

bool Instruction::has(kernels::Role role) const {
  return std::ranges::find(operands, role, &Operand::role) != operands.end();
}

BufferId Instruction::buffer(kernels::Role role) const {
  for (const Operand& operand : operands) {
    if (operand.role == role && operand.space == Space::buffer) return operand.index;
  }
  return -1;
}

}  // namespace convoy
