// A copy that bypasses the caches of this processor.
#pragma once

#include <span>

namespace convoy {

// The spans are equally long and do not overlap. The copy does not first read the memory that it overwrites and leaves
// the caches to others, which pays off when nobody reads the copy soon. Whoever sees a later store of this thread also
// sees the copy.
void stream_copy(std::span<const float> from, std::span<float> to);

}  // namespace convoy
