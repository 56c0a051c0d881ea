// Whether a run had its cores to itself while it was measured.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "convoy/record/epoch_record.h"

namespace convoy::study {

// A run is disturbed when more than this share of the CPU time it needed was taken from it.
inline constexpr double kDisturbedShare = 0.05;

// The use of the machines over some time of a run, summed over all hosts.
struct MachineUse {
  double seconds = 0;         // wall time
  double cpu_seconds = 0;     // CPU time that the run got
  double others_seconds = 0;  // CPU time of others on the cores that the run may use
  double steal_seconds = 0;   // CPU time that the hosts of virtual machines took away
  double cores = 0;           // how many the run may use
  double threads = 0;         // how many all workers have together
};

// The share of the CPU time that a run needs (one core per thread, but no more than there are) that was taken from it:
// steal, and what others used beyond the cores that it leaves idle. May be above 1.
[[nodiscard]] double taken_share(const MachineUse& use);

// "others used 1.86 of 2 cores; the run has 1 thread and got 0.14"; empty when the run was not disturbed.
[[nodiscard]] std::string disturbance_of(const MachineUse& use);

// The sum over these epochs; no value when one of them lacks it.
[[nodiscard]] std::optional<MachineUse> machine_use(std::span<const EpochRecord> epochs, double threads);

}  // namespace convoy::study
