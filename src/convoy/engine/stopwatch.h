// Times prepared operators that do the same work, to choose between them; tells whether the machine was quiet
// meanwhile, and what it can do at best.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "convoy/base/clock.h"
#include "convoy/kernels/device.h"
#include "convoy/kernels/kernel.h"
#include "convoy/tensor/aligned_buffer.h"

namespace convoy {

// CPU seconds since some moment that other programs, or the machine's host, took of the cores this process may use.
// Nothing where the system does not tell.
using OthersClock = std::function<std::optional<double>()>;
[[nodiscard]] std::optional<double> others_cpu_seconds();

// Whether what is timed is disturbed: begins when it is made.
class QuietWatch {
 public:
  explicit QuietWatch(const OthersClock& others);

  // The share of the cores' time since then that others had. 0 where the system does not tell, and within a tenth of a
  // second: its counters tick a hundred times a second.
  [[nodiscard]] double others_share() const;

 private:
  const OthersClock& others_;
  std::optional<double> begin_others_;
  Clock::time_point begin_;
};

// More than this makes a race unfair: it may fall on one entrant's runs and not on the other's.
inline constexpr double kDisturbedShare = 0.1;

class Stopwatch {
 public:
  // The shortest of a few runs of each, in seconds. They run in turns, so that a disturbance of the machine falls on
  // all of them, and leave the race once they are clearly slower than the best.
  [[nodiscard]] std::vector<double> race(const std::vector<kernels::PreparedPtr>& entrants);

  // The shortest of a few runs that find nothing in the caches, as it is with what a step touches once.
  [[nodiscard]] double cold_seconds(const kernels::PreparedPtr& prepared);

 private:
  void sweep_caches();
  [[nodiscard]] std::unique_ptr<kernels::Kernel> bind(const kernels::Prepared& prepared) const;
  void reserve(std::size_t bytes);

  AlignedBuffer memory_;  // reused from race to race, and by all entrants of one
  AlignedBuffer swept_;   // larger than the caches, and read to fill them
};

// How fast this machine multiplies and adds at best, the yardstick for everything else: floating-point operations per
// second of a large matrix product on the device's threads, measured now (well under a second).
[[nodiscard]] double measure_peak_flops(const kernels::Device& device);

}  // namespace convoy
