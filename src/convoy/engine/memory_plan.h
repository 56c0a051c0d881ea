// Places buffers in one contiguous memory so that two that are alive at the same time never overlap, and refuses what
// does not fit into the machine's memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "convoy/engine/program.h"

namespace convoy {

// The first and the last instruction that use a buffer.
struct Lifetime {
  int first = -1;  // -1: never used
  int last = -1;
};

// Persistent buffers live through the whole program.
[[nodiscard]] std::vector<Lifetime> lifetimes_of(const Program& program);

struct MemoryPlan {
  std::vector<std::size_t> offsets;  // per buffer; unused ones get 0
  std::size_t bytes = 0;             // of all buffers together
};

// Places the largest first, each at the lowest offset at which it overlaps no buffer that lives at the same time. This
// is quick and, for the chains and branches of a network, within a few percent of the best.
[[nodiscard]] MemoryPlan plan_memory(const std::vector<Buffer>& buffers, const std::vector<Lifetime>& lifetimes);

// Must be called before memory is allocated, because a process that the system kills cannot explain itself. Throws
// UserError with both sizes when a batch needs more than is free now. Passes if the system does not report its memory.
void check_fits_in_memory(std::int64_t batch, std::size_t needed_bytes);

}  // namespace convoy
