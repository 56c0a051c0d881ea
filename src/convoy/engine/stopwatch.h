// Times prepared operators that do the same work, to choose between them; tells whether the machine was quiet
// meanwhile, and how fast it is at best.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "convoy/base/clock.h"
#include "convoy/engine/race.h"
#include "convoy/kernels/device.h"
#include "convoy/kernels/kernel.h"
#include "convoy/tensor/aligned_buffer.h"

namespace convoy {

// CPU seconds that other programs, or the machine's host, have taken from the cores that this process may use. Only
// differences matter. No value if the system does not report it.
using OthersClock = std::function<std::optional<double>()>;
[[nodiscard]] std::optional<double> others_cpu_seconds();

// Tells whether a measurement is disturbed; it begins with construction.
class QuietWatch {
 public:
  explicit QuietWatch(const OthersClock& others);

  // The share of the cores' time since then that others had. 0 if the system does not report it, and within the first
  // tenth of a second, because its counters tick only a hundred times a second.
  [[nodiscard]] double others_share() const;

 private:
  const OthersClock& others_;
  std::optional<double> begin_others_;
  Clock::time_point begin_;
};

// A larger share makes a race unfair, because it may affect one entrant's runs and not the other's.
inline constexpr double kDisturbedShare = 0.1;

class Stopwatch {
 public:
  [[nodiscard]] RaceTimes race(const std::vector<kernels::PreparedPtr>& entrants);

  // The shortest of a few runs with cold caches, as for data that a step uses only once.
  [[nodiscard]] double cold_seconds(const kernels::PreparedPtr& prepared);

 private:
  void sweep_caches();
  [[nodiscard]] std::unique_ptr<kernels::Kernel> bind(const kernels::Prepared& prepared) const;
  void reserve(std::size_t bytes);

  AlignedBuffer memory_;  // reused from race to race, and by all entrants of one
  AlignedBuffer swept_;   // larger than the caches; reading it replaces their contents
};

// How fast this machine multiplies and adds at best, as a yardstick for everything else: floating-point operations per
// second of a large matrix product on the device's threads, measured now (in well under a second).
[[nodiscard]] double measure_peak_flops(const kernels::Device& device);

}  // namespace convoy
