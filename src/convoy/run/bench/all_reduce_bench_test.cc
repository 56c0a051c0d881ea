#include "convoy/run/bench/all_reduce_bench.h"

#include <gtest/gtest.h>

#include "convoy/comm/thread/thread_world.h"

namespace convoy {
namespace {

TEST(BenchAllReduce, VerifiesAndTimesEveryAlgorithmAtEverySize) {
  run_as_threads({.ranks = 3, .node_of_rank = {0, 0, 1}}, [](Transport& transport) {
    for (const bool shared : {true, false}) {
      const auto rows = bench_allreduce(
          transport, {.sizes_bytes = {64, 4096}, .seconds = 1e-6, .in_shared_memory = shared}, std::nullopt);
      // All except MPI's own.
      ASSERT_EQ(rows.size(), 2 * (algorithm_names().size() - 1));
      for (const AllReduceBenchRow& row : rows) {
        EXPECT_TRUE(row.correct) << name_of(row.algorithm) << " " << row.bytes;
        EXPECT_GT(row.median_seconds, 0);
        EXPECT_LE(row.minimum_seconds, row.median_seconds);
        EXPECT_NEAR(row.bus_bytes_per_second * row.median_seconds, 4.0 / 3 * static_cast<double>(row.bytes), 1e-6);
        EXPECT_NE(row.runs, Algorithm::automatic);
      }
    }
  });
}

TEST(BenchAllReduce, TakesTheAlgorithmsThatAreWanted) {
  run_as_threads({.ranks = 2}, [](Transport& transport) {
    const auto rows = bench_allreduce(transport, {.sizes_bytes = {8}, .algorithms = {Algorithm::ring}, .seconds = 1e-6},
                                      std::nullopt);
    ASSERT_EQ(rows.size(), 1U);
    EXPECT_EQ(rows[0].algorithm, Algorithm::ring);
  });
}

}  // namespace
}  // namespace convoy
