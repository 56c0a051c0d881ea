// Sums of floats, element by element.
#pragma once

#include <span>
#include <vector>

namespace convoy {

// sum[i] += values[i]. As long as each other.
void add_to(std::span<float> sum, std::span<const float> values);

// The sums over all `parts`, in their order, are written to every one of `results`, which may be among the parts. All
// equally long.
void sum_parts(std::span<const std::span<float>> parts, std::span<const std::span<float>> results);

// result = the sum of parts[k][offset...], in the order of parts. `result` may be that place of one of the parts.
void add_parts(std::span<const std::span<float>> parts, std::size_t offset, std::span<float> result);

}  // namespace convoy
