// Memory for ranks that share all memory because they are threads of one process.
#pragma once

#include <cstddef>

#include "convoy/comm/transport.h"

namespace convoy {

// Zeroed parts of `bytes` each, 64-byte aligned.
[[nodiscard]] NodeMemory heap_node_memory(int local_size, std::size_t bytes);

}  // namespace convoy
