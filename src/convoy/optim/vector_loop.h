// How every pass over an arena is compiled and split over threads.
#pragma once

#include <omp.h>

#include <cstdint>

#include "convoy/base/vector_clones.h"

namespace convoy {

// body(first, last) over [0, count) in stretches of `chunk`, the last one shorter. Where stretches begin never depends
// on the number of threads.
template <typename Body>
void parallel_chunks(std::int64_t count, std::int64_t chunk, const Body& body) {
  // libgomp allocates and frees a team for every parallel region of one thread, so a small range starts none.
  if (count <= chunk || omp_get_max_threads() == 1) {
    for (std::int64_t first = 0; first < count; first += chunk) {
      body(first, first + chunk < count ? first + chunk : count);
    }
    return;
  }
#pragma omp parallel for schedule(static)
  for (std::int64_t first = 0; first < count; first += chunk) {
    body(first, first + chunk < count ? first + chunk : count);
  }
}

}  // namespace convoy
