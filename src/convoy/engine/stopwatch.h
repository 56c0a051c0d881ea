// Times prepared operators that do the same work, to choose between them, and what the machine can do at best.
#pragma once

#include <vector>

#include "convoy/kernels/device.h"
#include "convoy/kernels/kernel.h"
#include "convoy/tensor/aligned_buffer.h"

namespace convoy {

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
