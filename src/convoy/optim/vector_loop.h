// How every pass over an arena is compiled and split over threads.
#pragma once

#include <omp.h>

#include <cstdint>

// A function compiled once for each instruction set; the best for the processor is picked when the program is loaded.
// Sanitizers cannot follow the resolver that picks.
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__) || defined(__clang__)
#define CONVOY_CLONES
#else
#define CONVOY_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#endif

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
