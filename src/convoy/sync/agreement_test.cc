#include "convoy/sync/agreement.h"

#include <gtest/gtest.h>

#include "convoy/base/error.h"
#include "convoy/base/throws_with_test.h"
#include "convoy/comm/thread/thread_world.h"

namespace convoy {
namespace {

TEST(Agreement, EqualTextsPass) {
  run_as_threads({.ranks = 3}, [](Transport& transport) {
    Communicator communicator(transport);
    require_same(communicator, "settings", "batch = 32");
  });
}

TEST(Agreement, AllRanksHearWhoDiffers) {
  run_as_threads({.ranks = 3}, [](Transport& transport) {
    Communicator communicator(transport);
    const std::string text = transport.rank() == 2 ? "batch = 64" : "batch = 32";
    EXPECT_TRUE(throws_with<UserError>([&] { require_same(communicator, "settings", text); }, "rank 2 on"));
  });
}

NodeMap three_ranks() {
  const std::vector<int> keys = {0, 0, 0};
  return {keys, {"a", "a", "b"}};
}

TEST(Agreement, OtherWeightsAreNamed) {
  std::vector<std::uint64_t> hashes(3, 7);
  require_same_weights(hashes, three_ranks(), 10);
  hashes[2] = 8;
  EXPECT_TRUE(throws_with<SystemError>([&] { require_same_weights(hashes, three_ranks(), 10); },
                                       "after step 10 the weights of rank 2 on b differ"));
}

TEST(Agreement, OneBitChangesTheHash) {
  std::vector<float> weights(1000, 0.5F);
  const std::uint64_t hash = hash_of(weights);
  EXPECT_EQ(hash_of(weights), hash);
  weights[999] = 0.50000006F;
  EXPECT_NE(hash_of(weights), hash);
}

}  // namespace
}  // namespace convoy
