// Cutting a range into nearly equal slices, the same on every rank.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

namespace convoy {

// Where slice `index` of `count` elements in `parts` begins; cut_point(count, parts, parts) is `count`. Sizes differ by
// at most one `grain`, and the first slices are the larger ones; all but the end of the range are multiples of it.
[[nodiscard]] inline std::size_t cut_point(std::size_t count, std::size_t parts, std::size_t index,
                                           std::size_t grain = 1) {
  const std::size_t grains = (count + grain - 1) / grain;
  const std::size_t begin = index * (grains / parts) + std::min(index, grains % parts);
  return std::min(begin * grain, count);
}

// Slices `first` to before `last` of `values` in `parts`.
[[nodiscard]] inline std::span<float> slices(std::span<float> values, std::size_t parts, std::size_t first,
                                             std::size_t last, std::size_t grain = 1) {
  const std::size_t begin = cut_point(values.size(), parts, first, grain);
  return values.subspan(begin, cut_point(values.size(), parts, last, grain) - begin);
}

}  // namespace convoy
