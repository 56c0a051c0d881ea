// Places buffers in one stretch of memory so that two that are alive at the same time never overlap.
#pragma once

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

}  // namespace convoy
