#include "convoy/sync/sharded_update.h"

#include "convoy/comm/thread/thread_world.h"
#include "convoy/sync/sharded_update_check_test.h"

namespace convoy {
namespace {

void on_nodes(const std::vector<int>& node_of_rank, const std::function<void(Communicator&)>& body) {
  run_as_threads({.ranks = static_cast<int>(node_of_rank.size()), .node_of_rank = node_of_rank},
                 [&](Transport& transport) {
                   Communicator communicator(transport);
                   body(communicator);
                 });
}

TEST(ShardedUpdate, HasTheBitsOfARingAndAnUpdateOfEverything) {
  for (const std::vector<int>& nodes : {std::vector<int>{0, 1}, {0, 1, 2}, {0, 1, 2, 3, 4}}) {
    on_nodes(nodes, check_shards);
  }
}

TEST(ShardedUpdate, InNodesOfSeveralRanks) {
  for (const std::vector<int>& nodes : {std::vector<int>{0, 0, 1, 1}, {0, 1, 1, 0, 2}}) on_nodes(nodes, check_shards);
}

TEST(ShardedUpdate, SendsThreeQuartersOfTheBytesInBf16) {
  on_nodes({0, 1}, [](Communicator& communicator) {
    const auto bytes = [&](const ShardedRun& run) {
      return static_cast<double>(ShardedSteps(communicator, run).take().wire_bytes);
    };
    const double sums = bytes({.shards = false});
    EXPECT_NEAR(bytes({}) / sums, 1, 0.05) << "headers";
    EXPECT_NEAR(bytes({.in_bf16 = {{.offset = 0, .count = kShardedFloats}}}) / sums, 0.75, 0.05);
  });
}

}  // namespace
}  // namespace convoy
