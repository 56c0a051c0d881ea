// Slices of the arena that are divided between the ranks: each rank computes the gradients of its own parts and updates
// them, and nothing is summed. The other parts on a rank are out of date until they are brought together.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "convoy/comm/communicator.h"
#include "convoy/tensor/arena_slice.h"

namespace convoy {

struct DividedSlice {
  std::string name;  // for people
  ArenaSlice slice;
  std::vector<std::vector<ArenaSlice>> parts;  // of each rank; the rest of the slice is padding
};

// Collective: completes `values`, which are laid out like the arena and of which each rank has its own parts.
void bring_together(Communicator& communicator, std::span<const DividedSlice> slices, std::span<float> values);

}  // namespace convoy
