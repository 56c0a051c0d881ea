// The length of the gradient: what clipping by global norm needs, and how divergence shows.
#pragma once

#include <span>

namespace convoy {

// The square root of the sum of squares, in double precision. Depends on the values alone, to the bit: not on the
// number of threads, nor on the processor. Not finite exactly when some value is not. Uses the calling thread's OpenMP
// threads and allocates nothing.
[[nodiscard]] double gradient_norm(std::span<const float> gradients);

// What to scale gradients of that norm (finite) by so that it is at most `limit` (> 0): 1 when it is already. Throws
// UserError for others.
[[nodiscard]] float clip_scale(double norm, double limit);

}  // namespace convoy
