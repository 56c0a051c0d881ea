// Sums of floats, element by element.
#pragma once

#include <span>
#include <vector>

namespace convoy {

// sum[i] += values[i]. The spans are equally long.
void add_to(std::span<float> sum, std::span<const float> values);

// Sums all `parts`, in their order, and writes the sums to each of `results`, which may be among the parts. All spans
// are equally long.
void sum_parts(std::span<const std::span<float>> parts, std::span<const std::span<float>> results);

// Sets `result` to the sum of parts[k][offset...], in the order of parts. `result` may be that range of one of the
// parts.
void add_parts(std::span<const std::span<float>> parts, std::size_t offset, std::span<float> result);

}  // namespace convoy
