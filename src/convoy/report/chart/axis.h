// What an axis of a chart shows and how its values are spread along it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace convoy::report {

enum class AxisScale : std::uint8_t {
  linear,
  log2,  // ticks at powers of two: workers, batch sizes
  log10,
  categorical,  // positions 0, 1, 2, ... with names; for x only
};

struct Axis {
  std::string title;  // with the unit: "throughput (images/s)"
  AxisScale scale = AxisScale::linear;
  bool from_zero = false;               // a linear axis includes zero
  std::vector<std::string> categories;  // names of the positions of a categorical axis
};

// Which end of a scale is the good one.
enum class Better : std::uint8_t { higher, lower };

}  // namespace convoy::report
