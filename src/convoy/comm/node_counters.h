// Counts how far each rank of a node has come, in memory that they share.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "convoy/comm/transport.h"

namespace convoy {

// Each rank has a number that only it raises. Whoever sees the raised number also sees what the rank wrote before
// raising it.
class NodeCounters final : private Awaited {
 public:
  using Counter = std::atomic<std::uint64_t>;
  // Required because several processes share it.
  static_assert(Counter::is_always_lock_free);

  // Collective; all counters start at 0. The transport must outlive it.
  explicit NodeCounters(Transport& transport);

  // counters[local rank] must be zero at the start on all ranks; they and the transport must outlive this.
  NodeCounters(std::vector<Counter*> counters, Transport& transport);

  void raise(std::uint64_t value);

  [[nodiscard]] bool all_reached(std::uint64_t value) const;

  // Waits until every rank of the node has reached `value`. Throws PeerError that names those that have not within the
  // deadline.
  void await(std::uint64_t value);

 private:
  [[nodiscard]] bool all_arrived() const override { return all_reached(target_); }
  [[nodiscard]] std::vector<int> missing() const override;

  Transport& transport_;
  int local_rank_;
  NodeMemory memory_;  // empty when the counters are in the caller's memory
  std::vector<Counter*> counters_;
  std::uint64_t target_ = 0;  // the value that is waited for
};

}  // namespace convoy
