// Splits independent work over the threads of the device in use.
#pragma once

#include <omp.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <utility>

#include "convoy/base/clock.h"

namespace convoy::kernels {

// Work on [0, count) that threads claim in chunks. Each first takes its own share in order, which is the same in every
// operator, so that its images stay in its cache; then it takes chunks of a thread that is held up, because the system
// has taken its core away for a while, say. A thread that is only a little late keeps its last chunks: where cores
// share no cache, fetching their data takes several times as long as computing them. The result must not depend on
// which thread does what: nothing may be summed up per thread.
class Claims {
 public:
  // Chunks are multiples of `together`.
  Claims(std::int64_t count, std::int64_t threads, std::int64_t together = 1)
      : threads_(std::min<std::int64_t>(threads, kMostShares)) {
    const std::int64_t groups = (count + together - 1) / together;
    chunk_ = together * std::max<std::int64_t>(1, groups / (threads_ * kChunksOfShare));
    for (std::int64_t i = 0; i < threads_; ++i) {
      Share& share = shares_[static_cast<std::size_t>(i)];
      share.next.store(together * (groups * i / threads_), std::memory_order_relaxed);
      share.end = std::min(count, together * (groups * (i + 1) / threads_));
    }
  }

  // Calls body(first, last) for all chunks that `thread` can claim.
  template <typename Body>
  void work(std::int64_t thread, const Body& body) {
    const Clock::time_point start = threads_ > 1 ? Clock::now() : Clock::time_point();
    std::int64_t chunks = 0;
    Share& own = share_of(thread);
    while (take(own, body)) ++chunks;
    if (threads_ == 1) return;
    const Clock::duration patience = kPatience * (Clock::now() - start) / std::max<std::int64_t>(1, chunks);
    for (std::int64_t i = 1; i < threads_; ++i) {
      Share& share = share_of(thread + i);
      while (share.left() > 0) {
        if (share.left() >= kManyChunks * chunk_ || share.stands_still(patience)) (void)take(share, body);
      }
    }
  }

 private:
  static constexpr std::int64_t kMostShares = 64;
  static constexpr std::int64_t kChunksOfShare = 8;
  // A thread is held up if so many chunks are left of its share when another is done, or if it begins no further chunk
  // in so many times what a chunk takes.
  static constexpr std::int64_t kManyChunks = 3;
  static constexpr std::int64_t kPatience = 2;

  // On a cache line of its own, because threads write to it often.
  struct alignas(64) Share {
    std::atomic<std::int64_t> next;
    std::int64_t end;

    [[nodiscard]] std::int64_t left() const { return end - next.load(std::memory_order_relaxed); }

    // Whether nobody takes a chunk for so long.
    [[nodiscard]] bool stands_still(Clock::duration patience) const {
      const std::int64_t before = left();
      const Clock::time_point begin = Clock::now();
      while (Clock::now() - begin < patience) {
        if (left() != before) return false;
      }
      return true;
    }
  };

  [[nodiscard]] Share& share_of(std::int64_t thread) { return shares_[static_cast<std::size_t>(thread % threads_)]; }

  template <typename Body>
  bool take(Share& share, const Body& body) {
    const std::int64_t first = share.next.fetch_add(chunk_, std::memory_order_relaxed);
    if (first >= share.end) return false;
    body(first, std::min(first + chunk_, share.end));
    return true;
  }

  std::int64_t threads_;
  std::int64_t chunk_ = 1;
  std::array<Share, kMostShares> shares_;
};

// Calls body(i) for i in [0, count).
template <typename Body>
void parallel_for(std::int64_t count, const Body& body) {
  const int threads = omp_get_max_threads();
  // libgomp allocates and frees a team for every parallel region of one thread, so none is started for one.
  if (count <= 1 || threads == 1) {
    for (std::int64_t i = 0; i < count; ++i) body(i);
    return;
  }
  Claims claims(count, threads);
#pragma omp parallel
  claims.work(omp_get_thread_num(), [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t i = first; i < last; ++i) body(i);
  });
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
