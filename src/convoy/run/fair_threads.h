// Decides how many threads a rank computes with. Their number affects how sums are rounded, so a run keeps it.
#pragma once

#include <optional>
#include <string>

#include "convoy/comm/communicator.h"

namespace convoy {

// What is wanted before the cores are known. With neither value, a rank takes its share of the cores.
struct ThreadWish {
  std::optional<int> exactly;  // what the user gave, or what the run used before
  // What the run used with another number of workers: the rank's share, but no more than this.
  std::optional<int> at_most;
  bool is_told = false;  // the user has already seen the note about it
};

struct ThreadChoice {
  int threads = 1;
  std::string note;  // something the user might not expect, or empty
};

// Throws UserError that names --threads unless there is at least one and no more than a machine can start.
void require_threads(int threads);

// `share` is the rank's share of the cores.
[[nodiscard]] ThreadChoice choose_threads(const ThreadWish& wish, int share);

// The note that a run goes on with fewer threads than it had.
[[nodiscard]] std::string fewer_threads_note(int before, int now);

// Collective: the number of cores that this process may use, divided by the number of ranks on the node that may use
// the same ones. At least 1.
[[nodiscard]] int fair_threads(Communicator& communicator);

}  // namespace convoy
