// Cuts a range into nearly equal slices, in the same way on every rank.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

namespace convoy {

// Where slice number `index` begins when `count` elements are cut into `parts` slices; cut_point(count, parts, parts)
// is `count`. Sizes differ by at most one `unit`, and the first slices are the larger ones. All cuts are at multiples
// of `unit`, except the end of the range.
[[nodiscard]] inline std::size_t cut_point(std::size_t count, std::size_t parts, std::size_t index,
                                           std::size_t unit = 1) {
  const std::size_t units = (count + unit - 1) / unit;
  const std::size_t begin = index * (units / parts) + std::min(index, units % parts);
  return std::min(begin * unit, count);
}

// Slices number `first` up to, but not including, `last` of `values` cut into `parts`.
[[nodiscard]] inline std::span<float> slices(std::span<float> values, std::size_t parts, std::size_t first,
                                             std::size_t last, std::size_t unit = 1) {
  const std::size_t begin = cut_point(values.size(), parts, first, unit);
  return values.subspan(begin, cut_point(values.size(), parts, last, unit) - begin);
}

}  // namespace convoy
