#include "convoy/sync/adasum.h"

#include <gtest/gtest.h>

#include "convoy/comm/thread/thread_world.h"
#include "convoy/sync/adasum_check_test.h"
#include "convoy/sync/gradient_reducer.h"

namespace convoy {
namespace {

// The Adasum of two parties with these gradients.
std::vector<float> adasum_of_pair(const std::vector<float>& a, const std::vector<float>& b) {
  std::vector<float> result;
  run_as_threads({.ranks = 2, .node_of_rank = {0, 1}}, [&](Transport& transport) {
    std::vector<float> values = transport.rank() == 0 ? a : b;
    std::vector<float> scratch;
    const std::vector<std::size_t> ends = {values.size()};
    adasum_all_reduce(transport, values, ends, scratch);
    if (transport.rank() == 0) result = values;
  });
  return result;
}

TEST(Adasum, AddsWhatDiffersAndAveragesWhatAgrees) {
  EXPECT_EQ(adasum_of_pair({1, 0}, {0, 2}), (std::vector<float>{1, 2}));
  EXPECT_EQ(adasum_of_pair({3, 4}, {3, 4}), (std::vector<float>{3, 4}));
  EXPECT_EQ(adasum_of_pair({0, 0}, {3, 4}), (std::vector<float>{3, 4}));
}

TEST(Adasum, IsAsDefinedForAnyNumberOfParties) {
  for (const int ranks : {1, 2, 3, 4, 5, 6, 7, 8}) {
    run_as_threads({.ranks = ranks}, [&](Transport& transport) {
      Communicator communicator(transport);
      check_adasum(communicator);
    });
  }
}

// The parties are nodes, whose ranks are summed first, or the ranks of a single node. The gradients are shares of a
// mean over all parties, while Adasum combines each party's own mean, so the result is larger by the number of parties.
TEST(Adasum, ReducesGradientsTensorByTensor) {
  const std::vector<ArenaSlice> tensors = {{.offset = 0, .count = 100}, {.offset = 112, .count = 300}};
  for (const std::vector<int>& nodes : {std::vector<int>{0, 0, 1, 1, 2}, {0, 0, 0}, {0, 1}}) {
    run_as_threads({.ranks = static_cast<int>(nodes.size()), .node_of_rank = nodes}, [&](Transport& transport) {
      Communicator communicator(transport);
      ReplicaMemory memory(communicator, 412, 412);
      const auto reducer = make_gradient_reducer(
          communicator, memory, {.bucket_bytes = 64, .reduction = Reduction::adasum, .layers = tensors});
      const bool by_nodes = nodes.back() > 0;
      const std::size_t parties = by_nodes ? static_cast<std::size_t>(nodes.back()) + 1 : nodes.size();
      reducer->begin_step();
      for (const ArenaSlice& tensor : tensors) {
        for (std::size_t i = tensor.offset; i < tensor.end(); ++i) {
          memory.gradients()[i] = static_cast<float>(party_gradient(transport.rank(), i));
        }
      }
      reducer->ready(412);
      reducer->finish();
      for (const ArenaSlice& tensor : tensors) {
        std::vector<Gradient> all(parties, Gradient(tensor.count));
        for (std::size_t rank = 0; rank < nodes.size(); ++rank) {
          const std::size_t party = by_nodes ? static_cast<std::size_t>(nodes[rank]) : rank;
          for (std::size_t i = 0; i < tensor.count; ++i) {
            all[party][i] += party_gradient(static_cast<int>(rank), tensor.offset + i);
          }
        }
        const Gradient expected = adasum_of(all);
        for (std::size_t i = 0; i < tensor.count; ++i) {
          ASSERT_NEAR(memory.gradients()[tensor.offset + i], static_cast<double>(parties) * expected[i], 1e-4) << i;
        }
      }
    });
  }
}

}  // namespace
}  // namespace convoy
