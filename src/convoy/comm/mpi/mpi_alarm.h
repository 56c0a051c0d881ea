// The alarm a rank raises when it has waited in vain, so that all ranks stop at once and agree on who is missing.
#pragma once

#include <mpi.h>

#include <array>
#include <chrono>
#include <optional>
#include <vector>

namespace convoy {

// Whom a rank waits for: its sender, its receiver; kNobody for either.
using AwaitedRanks = std::array<int, 2>;
inline constexpr int kNobody = -1;

// A rank that gives up sends to every other rank whom it waits for. A rank that waits and hears of it does the same. So
// each learns within a short time who waits for whom; a rank that says nothing does not wait: it is dead, stopped, or
// somewhere else.
class MpiAlarm {
 public:
  // `group` has all ranks and carries nothing but alarms.
  explicit MpiAlarm(MPI_Comm group) : group_(group) {}

  // Whether another rank has given up.
  [[nodiscard]] bool raised() const;

  // Raises it or joins in. Listens for `patience` at most, and returns the ranks that are missing (lost_ranks.h).
  [[nodiscard]] std::vector<int> call_roll(const AwaitedRanks& awaited, std::chrono::milliseconds patience) const;

 private:
  void tell_everybody(const AwaitedRanks& awaited) const;
  // One rank's alarm, if there is one.
  [[nodiscard]] std::optional<int> hear(std::vector<std::optional<std::vector<int>>>& awaited_by) const;

  MPI_Comm group_;
};

}  // namespace convoy
