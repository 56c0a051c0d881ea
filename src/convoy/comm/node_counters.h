// How far each rank of a node has come, in memory that they share.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <vector>

#include "convoy/comm/transport.h"

namespace convoy {

// Each rank has a number that only it raises. What a rank wrote before raising it is seen by those who see the number.
class NodeCounters {
 public:
  // Collective; all start at 0. The transport outlives it.
  explicit NodeCounters(Transport& transport);

  void raise(std::uint64_t value);

  [[nodiscard]] bool all_reached(std::uint64_t value) const;

  // Waits until every rank of the node has come to `value`. Throws SystemError naming those that have not within the
  // deadline.
  void await(std::uint64_t value) const;

 private:
  using Counter = std::atomic<std::uint64_t>;
  // It lies in memory of several processes.
  static_assert(Counter::is_always_lock_free);

  [[nodiscard]] std::vector<int> ranks_behind(std::uint64_t value) const;

  Transport& transport_;
  int local_rank_;
  NodeMemory memory_;
  std::vector<Counter*> counters_;
};

}  // namespace convoy
