#include "convoy/kernels/parallel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <vector>

#include "convoy/kernels/device.h"

namespace convoy::kernels {
namespace {

using Visits = std::vector<int>;

void claim_all(Claims& claims, std::int64_t thread, Visits& visits) {
  claims.work(thread, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t i = first; i < last; ++i) ++visits[static_cast<std::size_t>(i)];
  });
}

TEST(Claims, AreMadeOnceByWhoeverComes) {
  for (const std::int64_t count : {0, 1, 2, 3, 7, 64, 1000}) {
    for (const std::int64_t threads : {1, 2, 3, 200}) {
      for (const std::int64_t together : {1, 4}) {
        Claims claims(count, threads, together);
        Visits visits(static_cast<std::size_t>(count));
        // The last thread never comes, so the others do its share.
        for (std::int64_t thread = 0; thread < std::max<std::int64_t>(1, threads - 1); ++thread) {
          claim_all(claims, thread, visits);
        }
        EXPECT_EQ(visits, Visits(visits.size(), 1)) << count << " for " << threads << ", " << together << " together";
      }
    }
  }
}

TEST(Claims, BeginWithTheOwnShareInOrder) {
  Claims claims(100, 4);
  std::vector<std::int64_t> begun;
  claims.work(2, [&](std::int64_t first, std::int64_t) { begun.push_back(first); });
  EXPECT_EQ(begun.front(), 50);
  EXPECT_TRUE(std::is_sorted(begun.begin(), begun.begin() + 8));
}

TEST(Claims, KeepNeighboursTogether) {
  Claims claims(50, 3, 8);
  claims.work(1, [&](std::int64_t first, std::int64_t last) {
    EXPECT_EQ(first % 8, 0);
    EXPECT_TRUE(last % 8 == 0 || last == 50) << last;
  });
}

TEST(ParallelFor, VisitsEverythingOnce) {
  const Device device(3);
  device.use();
  for (const std::int64_t count : {1, 2, 5, 333}) {
    std::vector<std::atomic<int>> visits(static_cast<std::size_t>(count));
    parallel_for(count, [&](std::int64_t i) { ++visits[static_cast<std::size_t>(i)]; });
    for (const auto& visited : visits) EXPECT_EQ(visited, 1);
  }
}

}  // namespace
}  // namespace convoy::kernels
