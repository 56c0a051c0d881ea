#include "convoy/sync/bucket_plan.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace convoy {
namespace {

TEST(BucketPlan, CoversTheArenaInOrderOnWholeLines) {
  for (const std::size_t floats : {1U, 15U, 16U, 17U, 1000U, 65536U, 100003U}) {
    for (const std::size_t bytes : {1U, 64U, 4096U, 1U << 20U}) {
      std::size_t at = 0;
      for (const ArenaSlice& bucket : plan_buckets(floats, bytes)) {
        EXPECT_EQ(bucket.offset, at);
        EXPECT_EQ(bucket.offset % 16, 0U);
        EXPECT_GT(bucket.count, 0U);
        at = bucket.end();
      }
      EXPECT_EQ(at, floats);
    }
  }
}

TEST(BucketPlan, BucketsAreNearlyAlike) {
  const auto buckets = plan_buckets(1'000'000, 1 << 20);
  ASSERT_EQ(buckets.size(), 4U);  // 3.8 MiB
  const auto [least, most] = std::ranges::minmax(buckets, {}, &ArenaSlice::count);
  EXPECT_LE(most.count - least.count, 16U);
}

TEST(BucketPlan, AnEmptyArenaHasOneEmptyBucket) {
  EXPECT_EQ(plan_buckets(0, 4096), (std::vector<ArenaSlice>{{.offset = 0, .count = 0}}));
}

TEST(BucketPlan, SharesCoverASlice) {
  const ArenaSlice slice{.offset = 32, .count = 1003};
  for (const int ranks : {1, 2, 3, 7}) {
    std::size_t at = slice.offset;
    for (int rank = 0; rank < ranks; ++rank) {
      const ArenaSlice share = share_of(slice, rank, ranks);
      EXPECT_EQ(share.offset, at);
      at = share.end();
    }
    EXPECT_EQ(at, slice.end());
  }
}

TEST(KeepWhole, MovesBordersOutOfTheSlice) {
  std::vector<ArenaSlice> buckets = plan_buckets(100 * 16, 20 * 16 * sizeof(float));
  ASSERT_EQ(buckets.size(), 5U);
  const std::size_t line = 16;
  keep_whole({.offset = 10 * line, .count = 55 * line}, buckets);
  EXPECT_EQ(buckets, (std::vector<ArenaSlice>{{0, 65 * line}, {65 * line, 15 * line}, {80 * line, 20 * line}}));
  const std::vector<ArenaSlice> before = buckets;
  keep_whole({.offset = 65 * line, .count = 15 * line}, buckets);
  EXPECT_EQ(buckets, before) << "borders at its ends stay";
}

}  // namespace
}  // namespace convoy
