// How far each rank of a node has come, in memory that they share.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "convoy/comm/transport.h"

namespace convoy {

// Each rank has a number that only it raises. What a rank wrote before raising it is seen by those who see the number.
class NodeCounters final : private Awaited {
 public:
  using Counter = std::atomic<std::uint64_t>;
  // It lies in memory of several processes.
  static_assert(Counter::is_always_lock_free);

  // Collective; all start at 0. The transport outlives it.
  explicit NodeCounters(Transport& transport);

  // counters[local rank] start at zero on all ranks; they and the transport outlive this.
  NodeCounters(std::vector<Counter*> counters, Transport& transport);

  void raise(std::uint64_t value);

  [[nodiscard]] bool all_reached(std::uint64_t value) const;

  // Waits until every rank of the node has come to `value`. Throws PeerError naming those that have not within the
  // deadline.
  void await(std::uint64_t value);

 private:
  [[nodiscard]] bool all_arrived() const override { return all_reached(target_); }
  [[nodiscard]] std::vector<int> missing() const override;

  Transport& transport_;
  int local_rank_;
  NodeMemory memory_;  // empty where the counters are somebody else's
  std::vector<Counter*> counters_;
  std::uint64_t target_ = 0;  // of the wait
};

}  // namespace convoy
