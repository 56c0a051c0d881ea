// Divides the two sweeps of batch norm over the threads: the first measures all planes of a channel, the second changes
// them by what was found.
#pragma once

#include <algorithm>
#include <cstdint>

#include "convoy/kernels/loop_operator.h"
#include "convoy/kernels/parallel.h"

namespace convoy::kernels {

// How much of its core's cache a thread may fill with planes between the two sweeps.
inline constexpr std::int64_t kCacheBytes = 1 << 20;

// What the sweeps do: first(plane, block) and second(plane, block) visit a plane, reduce() comes between the two, once
// for each block of channels.
template <typename First, typename Reduce, typename Second>
struct Sweeps {
  const PlaneGrid& grid;
  std::int64_t pixel_bytes;  // of one pixel and channel, in all tensors that are visited
  First first;
  Reduce reduce;
  Second second;

  [[nodiscard]] std::int64_t plane_bytes() const { return grid.plane_elements() * pixel_bytes; }
};

// Blocks of channels whose planes all threads share. Each thread starts with its own images, as in the layers before
// and after; threads wait for each other before and after reduce().
template <typename AnySweeps>
class SharedBlocks {
 public:
  SharedBlocks(const AnySweeps& sweeps, std::int64_t from, std::int64_t count)
      : sweeps_(sweeps),
        from_(from),
        count_(count),
        to_first_(sweeps.grid.batch * count, omp_get_max_threads()),
        to_second_(sweeps.grid.batch * count, omp_get_max_threads()) {}

  // Every thread of the team has to call it.
  void take(const Team& team) {
    sweep(team, to_first_, sweeps_.first);
    team.meet();
    const auto [begin, end] = team.share(count_);
    for (std::int64_t i = begin; i < end; ++i) sweeps_.reduce(from_ + i);
    team.meet();
    sweep(team, to_second_, sweeps_.second);
  }

 private:
  template <typename Visit>
  void sweep(const Team& team, Claims& claims, const Visit& visit) const {
    claims.work(team.thread(), [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        const std::int64_t block = from_ + i % count_;
        visit(i / count_ * sweeps_.grid.blocks + block, block);
      }
    });
  }

  const AnySweeps& sweeps_;
  std::int64_t from_;
  std::int64_t count_;
  Claims to_first_;
  Claims to_second_;
};

// Each thread takes blocks of channels through both sweeps, several together if they stay in its cache, and waits for
// nobody. All threads share the blocks that are too few to give each thread one more.
template <typename AnySweeps>
void sweep_by_channels(const AnySweeps& sweeps) {
  const PlaneGrid& grid = sweeps.grid;
  const std::int64_t threads = omp_get_max_threads();
  const std::int64_t together = std::max<std::int64_t>(1, kCacheBytes / (grid.batch * sweeps.plane_bytes()));
  const auto visit_all = [&](std::int64_t begin, std::int64_t end, const auto& visit) {
    for (std::int64_t image = 0; image < grid.batch; ++image) {
      for (std::int64_t block = begin; block < end; ++block) visit(image * grid.blocks + block, block);
    }
  };
  const auto take = [&](std::int64_t begin, std::int64_t end) {
    visit_all(begin, end, sweeps.first);
    for (std::int64_t block = begin; block < end; ++block) sweeps.reduce(block);
    visit_all(begin, end, sweeps.second);
  };
  const std::int64_t rest = grid.blocks % threads;
  Claims claims(grid.blocks - rest, threads);
  SharedBlocks shared(sweeps, grid.blocks - rest, rest);
  with_team([&](const Team& team) {
    claims.work(team.thread(), [&](std::int64_t begin, std::int64_t end) {
      for (; begin < end; begin += together) take(begin, std::min(begin + together, end));
    });
    if (rest > 0) shared.take(team);
  });
}

// How many blocks of channels go through both sweeps before the next blocks: as many as stay in the caches between the
// sweeps, or all if not even one does. At least one for each thread, so that each has something to reduce.
template <typename AnySweeps>
std::int64_t blocks_at_once(const AnySweeps& sweeps) {
  const std::int64_t threads = omp_get_max_threads();
  const std::int64_t own_planes = (sweeps.grid.batch + threads - 1) / threads;
  const std::int64_t fitting = kCacheBytes / (own_planes * sweeps.plane_bytes());
  return fitting == 0 ? sweeps.grid.blocks : std::min(std::max(fitting, threads), sweeps.grid.blocks);
}

template <typename AnySweeps>
void sweep_by_images(const AnySweeps& sweeps) {
  const std::int64_t at_once = blocks_at_once(sweeps);
  for (std::int64_t from = 0; from < sweeps.grid.blocks; from += at_once) {
    SharedBlocks shared(sweeps, from, std::min(at_once, sweeps.grid.blocks - from));
    with_team([&](const Team& team) { shared.take(team); });
  }
}

// Goes by channels if there are enough blocks of them to keep all threads busy to the end, unless the planes are still
// in the caches of the threads that computed them, each its own images. Bits are the same.
template <typename First, typename Reduce, typename Second>
void two_sweeps(const PlaneGrid& grid, std::int64_t pixel_bytes, const First& first, const Reduce& reduce,
                const Second& second) {
  constexpr std::int64_t kManyBlocks = 4;         // for each thread
  constexpr std::int64_t kCachedBytes = 4 << 20;  // of each thread: about what a core has of all levels
  const Sweeps<First, Reduce, Second> sweeps{grid, pixel_bytes, first, reduce, second};
  const std::int64_t threads = omp_get_max_threads();
  const bool is_cached = grid.planes() * sweeps.plane_bytes() <= kCachedBytes * threads;
  const bool by_channels = grid.blocks >= kManyBlocks * threads && (threads == 1 || !is_cached);
  by_channels ? sweep_by_channels(sweeps) : sweep_by_images(sweeps);
}

}  // namespace convoy::kernels
