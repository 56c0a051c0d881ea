// Lets outputs reuse the memory of inputs that are no longer needed.
#pragma once

#include "convoy/engine/program.h"

namespace convoy {

// Follows the in_place offers of the instructions if the input's last use is the instruction itself, the output is
// first written there, and it fits. Operands are renumbered to the shared buffer; the list of buffers keeps its length.
void share_in_place(Program& program);

}  // namespace convoy
