// Sums the gradients of the pieces of a batch.
#pragma once

#include <span>

namespace convoy {

// sum = gradients, and sum += gradients. The spans are equally long; uses the calling thread's OpenMP threads.
void copy_gradients(std::span<const float> gradients, std::span<float> sum);
void add_gradients(std::span<const float> gradients, std::span<float> sum);

}  // namespace convoy
