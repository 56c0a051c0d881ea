// How passes over an arena are split over threads.
#pragma once

#include <omp.h>

#include <cstdint>

#include "convoy/base/vector_clones.h"

namespace convoy {

// Calls body(first, last) for chunks of [0, count), the last one possibly shorter. Where chunks begin never depends on
// the number of threads.
template <typename Body>
void parallel_chunks(std::int64_t count, std::int64_t chunk, const Body& body) {
  // libgomp allocates and frees a team for every parallel region of one thread, so a small range does not start one.
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
