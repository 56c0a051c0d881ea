// Measures how many samples per second a loader makes when nothing else holds it up, and computes how many cores it
// should have.
#pragma once

#include <cstdint>
#include <vector>

#include "convoy/data/loader/loader.h"

namespace convoy::data {

struct LoaderRate {
  std::vector<double> rates;  // rows per second, one value per interval
  std::int64_t rows = 0;      // over all intervals
  double seconds = 0;
};

// Takes batches for `seconds`, after the loader's queue has been filled once, which does not count. The time is divided
// into ten intervals of whole batches, or fewer when batches take longer. Throws what making a batch throws.
[[nodiscard]] LoaderRate measure_loader(const Source& source, const LoaderOptions& options, double seconds);

// How many of the cores should make samples, so that training neither waits for input nor loses cores needlessly.
// `make_seconds` is what one core needs to make a sample, `compute_seconds` what all `cores` together need to train on
// one. Returns a loader's `threads`; the other cores are for computing.
//
// Zero, which means that the caller makes batches between steps, when that takes less than 1 % of the time: giving away
// a core would cost more. Otherwise the fewest threads that keep up with the remaining cores, and never all of them.
[[nodiscard]] int loader_threads(int cores, double make_seconds, double compute_seconds);

}  // namespace convoy::data
