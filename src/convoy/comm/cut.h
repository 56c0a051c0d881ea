// Cutting a range into nearly equal slices, the same on every rank.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

namespace convoy {

// Where slice `index` of `count` elements in `parts` begins; cut_point(count, parts, parts) is `count`. Sizes differ by
// at most one `unit`, and the first slices are the larger ones; all but the end of the range are multiples of it.
[[nodiscard]] inline std::size_t cut_point(std::size_t count, std::size_t parts, std::size_t index,
                                           std::size_t unit = 1) {
  const std::size_t units = (count + unit - 1) / unit;
  const std::size_t begin = index * (units / parts) + std::min(index, units % parts);
  return std::min(begin * unit, count);
}

// Slices `first` to before `last` of `values` in `parts`.
[[nodiscard]] inline std::span<float> slices(std::span<float> values, std::size_t parts, std::size_t first,
                                             std::size_t last, std::size_t unit = 1) {
  const std::size_t begin = cut_point(values.size(), parts, first, unit);
  return values.subspan(begin, cut_point(values.size(), parts, last, unit) - begin);
}

}  // namespace convoy
