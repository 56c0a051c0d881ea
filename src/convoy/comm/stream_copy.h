// A copy that does not pass through the caches of this processor.
#pragma once

#include <span>

namespace convoy {

// Equally long, not overlapping. Saves the read of the memory that is overwritten and leaves the caches to others; pays
// where nobody reads the copy soon. The copy is visible to whoever sees what this thread stores afterwards.
void stream_copy(std::span<const float> from, std::span<float> to);

}  // namespace convoy
