// The alarm a rank raises when it has waited in vain, so that all ranks stop at once and agree on who is missing.
#pragma once

#include <mpi.h>

#include <chrono>
#include <optional>
#include <span>
#include <vector>

namespace convoy {

// A rank that gives up sends to every other rank whom it waits for. A rank that waits and hears of it does the same. So
// each learns within a short time who waits for whom; a rank that says nothing does not wait: it is dead, stopped, or
// somewhere else.
class MpiAlarm {
 public:
  // `group` has all ranks and carries nothing but alarms.
  explicit MpiAlarm(MPI_Comm group) : group_(group) {}

  // Whether another rank has given up.
  [[nodiscard]] bool raised() const;

  // Raises it or joins in: `awaited` are the ranks that this one waits for. Listens for `patience` at most, and returns
  // the ranks that are missing (lost_ranks.h).
  [[nodiscard]] std::vector<int> call_roll(std::span<const int> awaited, std::chrono::milliseconds patience) const;

 private:
  void tell_everybody(std::span<const int> awaited) const;
  // Whether there was another rank's alarm.
  [[nodiscard]] bool hear(std::vector<std::optional<std::vector<int>>>& awaited_by) const;

  MPI_Comm group_;
};

}  // namespace convoy
