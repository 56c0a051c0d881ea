// Counts values that a chart could not show, so that it says so.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace convoy::report {

struct Omitted {
  std::size_t not_numbers = 0;  // NaN, infinite, or beyond what an axis can span
  std::size_t off_scale = 0;    // zero or less on a logarithmic axis, or without a name on a categorical one

  // Counts a value that has no place.
  void count(double value);

  // A sentence for each kind; none where nothing was omitted.
  [[nodiscard]] std::vector<std::string> notes() const;
};

}  // namespace convoy::report
