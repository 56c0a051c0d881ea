// Ranks as threads of one process: what runs over MPI is tested without it, under the sanitizers, with any topology.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <vector>

#include "convoy/comm/transport.h"

namespace convoy {

struct ThreadWorldOptions {
  int ranks = 1;
  // Which pretended node each rank is on; empty: all on one.
  std::vector<int> node_of_rank = {};
  // How long a rank waits for another.
  std::chrono::milliseconds deadline = std::chrono::seconds(60);
  // For tests of the deadline: a message is late when this many ranks wait for one, whatever the clock says.
  std::optional<int> late_when_waiting = {};
};

// Calls `body` once for each rank, each in a thread of its own, and waits for all. When some throw, the first error is
// thrown again; ranks that wait for one that has ended do not wait for the deadline.
void run_as_threads(const ThreadWorldOptions& options, const std::function<void(Transport&)>& body);

}  // namespace convoy
