// Lets outputs take over the memory of inputs that nobody needs any more.
#pragma once

#include "convoy/engine/program.h"

namespace convoy {

// Follows the in_place offers of the instructions wherever the input's last use is the instruction itself, the output
// is first written there, and it fits. Operands are renumbered to the shared buffer; the buffers list keeps its length.
void share_in_place(Program& program);

}  // namespace convoy
