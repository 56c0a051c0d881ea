// The alarm that a rank raises when it has waited in vain, so that all ranks stop at once and agree on who is missing.
#pragma once

#include <mpi.h>

#include <chrono>
#include <optional>
#include <span>
#include <vector>

namespace convoy {

// A rank that gives up tells every other rank whom it waits for. A waiting rank that hears of it does the same. So
// within a short time every waiting rank knows who waits for whom. A rank that says nothing does not wait: it is dead,
// stopped, or busy with something else.
class MpiAlarm {
 public:
  // `group` contains all ranks and is used for nothing but alarms.
  explicit MpiAlarm(MPI_Comm group) : group_(group) {}

  // Whether another rank has given up.
  [[nodiscard]] bool raised() const;

  // Raises the alarm or joins it: `awaited` are the ranks that this one waits for. Listens for at most `patience` and
  // returns the ranks that are missing (lost_ranks.h).
  [[nodiscard]] std::vector<int> call_roll(std::span<const int> awaited, std::chrono::milliseconds patience) const;

 private:
  void tell_everybody(std::span<const int> awaited) const;
  // Receives one alarm of another rank, if there is one; whether there was.
  [[nodiscard]] bool hear(std::vector<std::optional<std::vector<int>>>& awaited_by) const;

  MPI_Comm group_;
};

}  // namespace convoy
