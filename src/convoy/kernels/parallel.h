// Splits independent work over the threads of the device in use.
#pragma once

#include <omp.h>

#include <cstdint>
#include <utility>

namespace convoy::kernels {

// Calls body(i) for i in [0, count); each thread gets a contiguous share.
template <typename Body>
void parallel_for(std::int64_t count, const Body& body) {
  // libgomp allocates and frees a team for every parallel region of one thread, so none is started for one.
  if (count <= 1 || omp_get_max_threads() == 1) {
    for (std::int64_t i = 0; i < count; ++i) body(i);
    return;
  }
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < count; ++i) body(i);
}

// Calls body(first, last) over [0, count) in chunks: for flat arrays, where a call per element would be too expensive.
template <typename Body>
void parallel_ranges(std::int64_t count, std::int64_t chunk, const Body& body) {
  parallel_for((count + chunk - 1) / chunk, [&](std::int64_t i) {
    const std::int64_t first = i * chunk;
    body(first, first + chunk < count ? first + chunk : count);
  });
}

// The threads of the device working on one task in which they have to wait for each other.
class Team {
 public:
  Team(int thread, int threads) : thread_(thread), threads_(threads) {}

  [[nodiscard]] int thread() const { return thread_; }

  // This thread's part of [0, count): first and last, last excluded. The same images belong to the same thread in every
  // operator, so that they stay in its cache.
  [[nodiscard]] std::pair<std::int64_t, std::int64_t> share(std::int64_t count) const {
    return {count * thread_ / threads_, count * (thread_ + 1) / threads_};
  }

  // Waits for the other threads.
  void meet() const {
    if (threads_ == 1) return;
#pragma omp barrier
  }

 private:
  int thread_;
  int threads_;
};

// Calls body(team) on every thread.
template <typename Body>
void with_team(const Body& body) {
  if (omp_get_max_threads() == 1) return body(Team(0, 1));
#pragma omp parallel
  body(Team(omp_get_thread_num(), omp_get_num_threads()));
}

}  // namespace convoy::kernels
