// Times prepared operators on memory of its own, for choosing between them.
#pragma once

#include "convoy/kernels/kernel.h"
#include "convoy/tensor/aligned_buffer.h"

namespace convoy {

class Stopwatch {
 public:
  // The shortest of a few runs, in seconds. Stops early once it is clear that it is slower than `best`.
  [[nodiscard]] double seconds(const kernels::Prepared& prepared, double best);

 private:
  AlignedBuffer memory_;  // reused from call to call
};

}  // namespace convoy
