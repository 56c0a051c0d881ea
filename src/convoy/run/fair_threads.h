// How many threads a rank computes with. The number decides how sums are rounded, so a run keeps it.
#pragma once

#include <optional>
#include <string>

#include "convoy/comm/communicator.h"

namespace convoy {

// What is known of it before the cores are. With neither, a rank takes its share of the cores.
struct ThreadWish {
  std::optional<int> exactly;  // the user's word, or the run's own
  std::optional<int> at_most;  // what the run had with another number of workers: its share, but no more than these
  bool is_told = false;        // the user has read the note on it already
};

struct ThreadChoice {
  int threads = 1;
  std::string note;  // what the user might not expect, else empty
};

// `share` is the rank's share of the cores.
[[nodiscard]] ThreadChoice choose_threads(const ThreadWish& wish, int share);

// Says that a run goes on with fewer threads than it had.
[[nodiscard]] std::string fewer_threads_note(int before, int now);

// Collective: the cores this process may use, shared with the ranks of the node that may use the same ones. At least 1.
[[nodiscard]] int fair_threads(Communicator& communicator);

}  // namespace convoy
