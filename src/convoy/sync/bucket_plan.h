// How an arena is cut into buckets: contiguous slices that are summed over the ranks one after the other.
#pragma once

#include <cstddef>
#include <vector>

#include "convoy/tensor/arena_slice.h"

namespace convoy {

// Buckets of about `bucket_bytes`, in order, on whole cache lines: at least one, none empty unless the arena is. All
// are of nearly the same length: a short rest at the end would be waited for without anything left to hide it.
[[nodiscard]] std::vector<ArenaSlice> plan_buckets(std::size_t arena_floats, std::size_t bucket_bytes);

// Moves the border of buckets that lies inside `slice`, if any does, to its end; buckets that become empty are removed.
// They cover the same as before.
void keep_whole(const ArenaSlice& slice, std::vector<ArenaSlice>& buckets);

// The part of a slice that rank `rank` of `ranks` takes, on whole cache lines where the slice is.
[[nodiscard]] ArenaSlice share_of(const ArenaSlice& slice, int rank, int ranks);

}  // namespace convoy
