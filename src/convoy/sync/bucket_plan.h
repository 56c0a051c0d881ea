// Cuts an arena into buckets: contiguous slices that are summed over the ranks one after the other.
#pragma once

#include <cstddef>
#include <vector>

#include "convoy/tensor/arena_slice.h"

namespace convoy {

// Buckets of about `bucket_bytes`, in order, cut at whole cache lines. There is at least one, and none is empty unless
// the arena is. All have nearly the same length: a short one at the end would be waited for with nothing left to
// compute meanwhile.
[[nodiscard]] std::vector<ArenaSlice> plan_buckets(std::size_t arena_floats, std::size_t bucket_bytes);

// If the border between two buckets lies inside `slice`, moves it to the end of the slice; removes buckets that become
// empty. Together the buckets cover the same range as before.
void keep_whole(const ArenaSlice& slice, std::vector<ArenaSlice>& buckets);

// The part of a slice that rank `rank` of `ranks` takes; cut at whole cache lines if the slice is.
[[nodiscard]] ArenaSlice share_of(const ArenaSlice& slice, int rank, int ranks);

}  // namespace convoy
