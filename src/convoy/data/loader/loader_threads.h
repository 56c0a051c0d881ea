// How many of the cores make samples, so that training neither waits for input nor gives up cores for nothing.
#pragma once

namespace convoy::data {

// `make_seconds` is what one core needs to make a sample, `compute_seconds` what all `cores` together need to train on
// one. Returns a loader's `threads`; compute is to have the other cores.
//
// Zero, for batches made by the caller between steps, when that takes less than 1 % of the time: a core given away
// would cost more. Otherwise the fewest threads that keep up with the cores that are left, and never all of them.
[[nodiscard]] int loader_threads(int cores, double make_seconds, double compute_seconds);

}  // namespace convoy::data
