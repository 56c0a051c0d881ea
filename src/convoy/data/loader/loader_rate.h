// How many samples per second a loader makes when nothing else holds it up, and how many cores it should have.
#pragma once

#include <cstdint>
#include <vector>

#include "convoy/data/loader/loader.h"

namespace convoy::data {

struct LoaderRate {
  std::vector<double> rates;  // rows per second, one for each stretch of batches
  std::int64_t rows = 0;      // in all of them
  double seconds = 0;
};

// Takes batches for `seconds` after a first fill of the loader's queue, which is left out, and cuts the time into ten
// stretches of whole batches, or fewer when batches take longer. Throws what making a batch throws.
[[nodiscard]] LoaderRate measure_loader(const Source& source, const LoaderOptions& options, double seconds);

// How many of the cores make samples, so that training neither waits for input nor gives up cores for nothing.
// `make_seconds` is what one core needs to make a sample, `compute_seconds` what all `cores` together need to train on
// one. Returns a loader's `threads`; compute is to have the other cores.
//
// Zero, for batches made by the caller between steps, when that takes less than 1 % of the time: a core given away
// would cost more. Otherwise the fewest threads that keep up with the cores that are left, and never all of them.
[[nodiscard]] int loader_threads(int cores, double make_seconds, double compute_seconds);

}  // namespace convoy::data
