// How fast this machine multiplies and adds at best: the yardstick for everything else.
#pragma once

#include "convoy/kernels/device.h"

namespace convoy {

// Floating-point operations per second of a large matrix product on the device's threads, measured now (well under a
// second).
[[nodiscard]] double measure_peak_flops(const kernels::Device& device);

}  // namespace convoy
