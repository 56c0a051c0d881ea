#include "convoy/engine/peak.h"

#include <algorithm>
#include <limits>

#include "convoy/engine/stopwatch.h"
#include "convoy/kernels/convolution.h"

namespace convoy {

double measure_peak_flops(const kernels::Device& device) {
  const kernels::DenseProblem product{.batch = 1024, .in_channels = 1024, .out = 1024, .bias = false};
  Stopwatch stopwatch;
  double best = std::numeric_limits<double>::infinity();
  for (const auto& candidate : kernels::candidates(device, product, kernels::Pass::forward)) {
    best = std::min(best, stopwatch.seconds(*candidate, best));
  }
  return product.flops() / best;
}

}  // namespace convoy
