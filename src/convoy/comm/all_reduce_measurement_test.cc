#include "convoy/comm/all_reduce_measurement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "convoy/base/mutex.h"
#include "convoy/comm/thread/thread_world.h"

namespace convoy {
namespace {

using testing::Contains;
using testing::Not;

TEST(AllReduceMeasurement, GivesTheSameTableToAllRanks) {
  Mutex mutex;
  std::set<std::string> tables;
  run_as_threads({.ranks = 3, .node_of_rank = {0, 0, 1}}, [&](Transport& transport) {
    const AllReduceTable table = measure_all_reduce(transport, {.sizes_bytes = {64, 4096}, .seconds = 0.2});
    const MutexLock lock(mutex);
    tables.insert(table.to_json());
  });
  ASSERT_EQ(tables.size(), 1U);
  const AllReduceTable table = AllReduceTable::from_json(*tables.begin());
  EXPECT_EQ(table.shared.front().bytes, 64U);
  EXPECT_EQ(table.shared.front().times.size(), 5U);
  EXPECT_FALSE(table.elsewhere.empty());
}

// However little time is given, at least one size is measured.
TEST(AllReduceMeasurement, LeavesOutSizesThatTakeTooLong) {
  run_as_threads({.ranks = 2}, [&](Transport& transport) {
    const AllReduceTable table = measure_all_reduce(transport, {.sizes_bytes = {64, 1U << 20U}, .seconds = 1e-9});
    EXPECT_EQ(table.shared.size(), 1U);
    EXPECT_EQ(table.elsewhere.size(), 1U);
  });
}

TEST(AllReduceMeasurement, OfThreadsIsWithoutMpi) {
  run_as_threads({.ranks = 1}, [](Transport& transport) {
    EXPECT_THAT(candidate_algorithms(transport), Not(Contains(Algorithm::mpi)));
    EXPECT_THAT(candidate_algorithms(transport), Not(Contains(Algorithm::automatic)));
    EXPECT_THAT(candidate_algorithms(transport), Contains(Algorithm::hierarchical));
  });
}

}  // namespace
}  // namespace convoy
