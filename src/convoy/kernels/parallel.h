// Splits independent work over the threads of the device in use.
#pragma once

#include <omp.h>

#include <cstdint>

namespace convoy::kernels {

// body(i) for i in [0, count), in contiguous shares per thread.
template <typename Body>
void parallel_for(std::int64_t count, const Body& body) {
  // libgomp allocates and frees a team for every parallel region of one thread.
  if (count <= 1 || omp_get_max_threads() == 1) {
    for (std::int64_t i = 0; i < count; ++i) body(i);
    return;
  }
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < count; ++i) body(i);
}

// body(first, last) over [0, count) in chunks: for flat arrays, where a call per element is too dear.
template <typename Body>
void parallel_ranges(std::int64_t count, std::int64_t chunk, const Body& body) {
  parallel_for((count + chunk - 1) / chunk, [&](std::int64_t i) {
    const std::int64_t first = i * chunk;
    body(first, first + chunk < count ? first + chunk : count);
  });
}

}  // namespace convoy::kernels
