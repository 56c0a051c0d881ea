#include "convoy/engine/peak.h"

#include <algorithm>

#include "convoy/engine/stopwatch.h"
#include "convoy/kernels/convolution.h"

namespace convoy {

double measure_peak_flops(const kernels::Device& device) {
  const kernels::DenseProblem product{.batch = 1024, .in_channels = 1024, .out = 1024, .bias = false};
  Stopwatch stopwatch;
  const auto seconds = stopwatch.race(kernels::candidates(device, product, kernels::Pass::forward));
  return product.flops() / *std::min_element(seconds.begin(), seconds.end());
}

}  // namespace convoy
