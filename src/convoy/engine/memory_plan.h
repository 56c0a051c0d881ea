// Places buffers in one stretch of memory so that two that are alive at the same time never overlap, and refuses what
// the machine has no memory for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "convoy/engine/program.h"

namespace convoy {

// The instructions from the first to the last that uses a buffer, both included.
struct Lifetime {
  int first = -1;  // -1: never used
  int last = -1;
};

// Persistent buffers live through the whole program.
[[nodiscard]] std::vector<Lifetime> lifetimes_of(const Program& program);

struct MemoryPlan {
  std::vector<std::size_t> offsets;  // per buffer; unused ones get 0
  std::size_t bytes = 0;             // of the whole stretch
};

// Largest first, each at the lowest offset where it overlaps nobody it lives with: within a few percent of the best for
// the chains and branches of a network, and quick.
[[nodiscard]] MemoryPlan plan_memory(const std::vector<Buffer>& buffers, const std::vector<Lifetime>& lifetimes);

// To be called before memory is taken: a process that the system kills cannot explain itself. Throws UserError with
// both sizes when a batch needs more than is free now. Passes where the system does not say.
void check_fits_in_memory(std::int64_t batch, std::size_t needed_bytes);

}  // namespace convoy
