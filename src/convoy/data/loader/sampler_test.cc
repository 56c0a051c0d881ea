#include "convoy/data/loader/sampler.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "convoy/base/error.h"

namespace convoy::data {
namespace {

std::vector<Row> rows_of(const LocalBatch& batch) {
  std::vector<Row> rows;
  for (std::int64_t i = 0; i < batch.rows().count; ++i) rows.push_back(batch.row(i));
  return rows;
}

// The rows of all ranks in a step, one rank after another.
std::vector<Row> global_rows(SamplerOptions options, int size, std::int64_t step) {
  std::vector<Row> all;
  options.size = size;
  for (options.rank = 0; options.rank < size; ++options.rank) {
    const auto rows = rows_of(Sampler(options).batch(step));
    all.insert(all.end(), rows.begin(), rows.end());
  }
  return all;
}

TEST(SliceOfRank, CoversEverythingOnceAndEvenly) {
  for (const std::int64_t count : {0, 1, 2, 7, 64, 100}) {
    for (const int size : {1, 2, 3, 7, 64}) {
      std::int64_t next = 0;
      for (int rank = 0; rank < size; ++rank) {
        const Slice slice = slice_of_rank(count, rank, size);
        EXPECT_EQ(slice.begin, next);
        EXPECT_GE(slice.count, count / size);
        EXPECT_LE(slice.count, (count + size - 1) / size);
        next += slice.count;
      }
      EXPECT_EQ(next, count);
    }
  }
}

TEST(Sampler, GlobalBatchIsTheSameAtAnyWorkerCount) {
  const SamplerOptions options{.samples = 103, .global_batch = 20, .instances = 3, .seed = 5};
  for (const std::int64_t step : {0, 3, 5, 6, 1000}) {
    const auto alone = global_rows(options, 1, step);
    for (const int size : {2, 3, 7, 16, 61}) EXPECT_EQ(global_rows(options, size, step), alone) << step << " " << size;
  }
}

TEST(Sampler, AnEpochIsEverySampleOnce) {
  const Sampler sampler({.samples = 103, .global_batch = 20, .seed = 5});
  ASSERT_EQ(sampler.steps_per_epoch(), 6);
  for (const std::int64_t epoch : {0, 1, 9}) {
    std::multiset<std::int64_t> seen;
    for (std::int64_t k = 0; k < 6; ++k) {
      const LocalBatch batch = sampler.batch(epoch * 6 + k);
      EXPECT_EQ(batch.epoch(), epoch);
      EXPECT_EQ(batch.rows().count, k < 5 ? 20 : 3);
      for (const Row& row : rows_of(batch)) seen.insert(row.sample);
    }
    EXPECT_EQ(seen.size(), 103U);
    EXPECT_EQ(std::set<std::int64_t>(seen.begin(), seen.end()).size(), 103U);
    EXPECT_EQ(*seen.rbegin(), 102);
  }
}

TEST(Sampler, EpochsAreShuffledAnew) {
  const Sampler sampler({.samples = 1000, .global_batch = 100, .seed = 5});
  EXPECT_NE(rows_of(sampler.batch(0)), rows_of(sampler.batch(10)));
}

TEST(Sampler, UnshuffledKeepsTheOrderOfTheSource) {
  const Sampler sampler({.samples = 10, .global_batch = 4, .shuffle = false});
  EXPECT_EQ(rows_of(sampler.batch(2)), (std::vector<Row>{{.sample = 8}, {.sample = 9}}));
  EXPECT_EQ(rows_of(sampler.batch(3)), rows_of(sampler.batch(0)));
}

TEST(Sampler, BatchAugmentationRepeatsEachSampleInNeighbouringRows) {
  const Sampler sampler({.samples = 5, .global_batch = 2, .instances = 2, .shuffle = false, .rank = 1, .size = 3});
  const LocalBatch batch = sampler.batch(1);  // samples 2, 2, 3, 3 in slices of 2, 1 and 1 rows
  EXPECT_EQ(batch.global_rows(), 4);
  EXPECT_EQ(batch.rows(), (Slice{.begin = 2, .count = 1}));
  EXPECT_EQ(batch.row(0), (Row{.sample = 3, .instance = 0}));
}

TEST(Sampler, ARankCanBeLeftWithoutRows) {
  const Sampler sampler({.samples = 9, .global_batch = 4, .rank = 2, .size = 4});
  EXPECT_EQ(sampler.batch(2).rows().count, 0);
  EXPECT_EQ(sampler.batch(2).global_rows(), 1);
  EXPECT_EQ(sampler.most_rows(), 1);
}

TEST(Sampler, BatchLargerThanTheDataIsOneStep) {
  const Sampler sampler({.samples = 9, .global_batch = 4000});
  EXPECT_EQ(sampler.steps_per_epoch(), 1);
  EXPECT_EQ(sampler.batch(7).rows().count, 9);
  EXPECT_EQ(sampler.batch(7).epoch(), 7);
}

TEST(Sampler, RefusesWhatCannotBeSampled) {
  EXPECT_THROW(Sampler({.samples = 0}), UserError);
  EXPECT_THROW(Sampler({.samples = 1, .global_batch = 0}), UserError);
  EXPECT_THROW(Sampler({.samples = 1, .instances = 0}), UserError);
  EXPECT_THROW(Sampler({.samples = 1, .rank = 1, .size = 1}), UserError);
}

}  // namespace
}  // namespace convoy::data
