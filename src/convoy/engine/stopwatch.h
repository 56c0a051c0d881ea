// Times prepared operators that do the same work, to choose between them.
#pragma once

#include <vector>

#include "convoy/kernels/kernel.h"
#include "convoy/tensor/aligned_buffer.h"

namespace convoy {

class Stopwatch {
 public:
  // The shortest of a few runs of each, in seconds. They run in turns, so that a disturbance of the machine falls on
  // all of them, and leave the race once they are clearly slower than the best.
  [[nodiscard]] std::vector<double> race(const std::vector<kernels::PreparedPtr>& entrants);

  [[nodiscard]] double seconds(const kernels::PreparedPtr& prepared) { return race({prepared}).front(); }

 private:
  [[nodiscard]] std::unique_ptr<kernels::Kernel> bind(const kernels::Prepared& prepared) const;
  void reserve(std::size_t bytes);

  AlignedBuffer memory_;  // reused from race to race, and by all entrants of one
};

}  // namespace convoy
