// The norm of the gradient: clipping needs it, and divergence shows in it.
#pragma once

#include <span>

namespace convoy {

// The square root of the sum of squares, in double precision. Its bits depend only on the values, not on the number of
// threads or the processor. It is not finite exactly when some value is not. Uses the calling thread's OpenMP threads
// and allocates nothing.
[[nodiscard]] double gradient_norm(std::span<const float> gradients);

// The factor that scales gradients of that norm down to norm `limit`; 1 when the norm is not above the limit. Throws
// UserError unless the norm is finite and the limit positive.
[[nodiscard]] float clip_scale(double norm, double limit);

}  // namespace convoy
