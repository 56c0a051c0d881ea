// How many samples per second a loader makes when nothing else holds it up.
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

}  // namespace convoy::data
