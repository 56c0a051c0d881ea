// Ranks as threads of one process, so that code that runs over MPI can be tested without it, under the sanitizers and
// with any topology.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <vector>

#include "convoy/comm/transport.h"

namespace convoy {

struct ThreadWorldOptions {
  int ranks = 1;
  // Which simulated node each rank is on; empty: all ranks are on one.
  std::vector<int> node_of_rank = {};
  // How long a rank waits for another before it gives up.
  std::chrono::milliseconds deadline = std::chrono::seconds(60);
  // For tests of the deadline: instead of by the clock, messages are late as soon as this many ranks wait for one.
  std::optional<int> late_when_waiting = {};
};

// Calls `body` once for each rank, each in its own thread, and waits for all. If any of them throws, the first error is
// thrown again. Ranks that wait for one that has ended fail at once, without waiting for the deadline.
void run_as_threads(const ThreadWorldOptions& options, const std::function<void(Transport&)>& body);

}  // namespace convoy
