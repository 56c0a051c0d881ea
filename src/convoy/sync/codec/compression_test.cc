#include "convoy/sync/codec/compression.h"

#include <gtest/gtest.h>

#include "convoy/base/error.h"
#include "convoy/base/throws_with_test.h"
#include "convoy/comm/thread/thread_world.h"
#include "convoy/sync/codec/compression_check_test.h"
#include "convoy/sync/codec/power_sgd.h"

namespace convoy {
namespace {

using Arena = CompressibleArena;

TEST(Compression, LosesNothingForGoodOnAnyTopology) {
  const std::vector<std::vector<int>> topologies = {{0, 1},       {0, 1, 2},       {0, 1, 2, 3, 4},
                                                    {0, 0, 1, 1}, {0, 1, 1, 0, 2}, {0, 0, 0, 1, 1}};
  for (const std::vector<int>& nodes : topologies) {
    for (const CompressionOptions& options : all_compressions()) {
      run_as_threads({.ranks = static_cast<int>(nodes.size()), .node_of_rank = nodes}, [&](Transport& transport) {
        Communicator communicator(transport);
        check_compression(communicator, options);
      });
    }
  }
}

// How many bytes the ranks send to each other in one step.
std::uint64_t wire_bytes(CodecKind codec, std::int64_t after = 0) {
  std::uint64_t bytes = 0;
  run_as_threads({.ranks = 2, .node_of_rank = {0, 1}}, [&](Transport& transport) {
    constexpr std::size_t kFloats = 1 << 16;
    Communicator communicator(transport);
    ReplicaMemory memory(communicator, kFloats, kFloats);
    const auto reducer =
        make_gradient_reducer(communicator, memory,
                              {.algorithm = Algorithm::ring,
                               .bucket_bytes = 1 << 17,
                               .compression = {.codec = codec, .after = after},
                               .tensors = {Arena::matrix("all", {.offset = 0, .count = kFloats}, 256, 256, 256, 1)}});
    const std::uint64_t before = transport.wire_bytes();
    reducer->begin_step({}, 0);
    reducer->ready(kFloats);
    reducer->finish();
    if (transport.rank() == 0) bytes = transport.wire_bytes() - before;
  });
  return bytes;
}

TEST(Compression, SendsFewerBytes) {
  const auto all = static_cast<double>(wire_bytes(CodecKind::none));
  EXPECT_EQ(all, 4.0 * (1 << 16) + 2 * 8)
      << "a ring of two sends every value once, the first rank which bucket is next";
  const auto part = [&](CodecKind codec) { return static_cast<double>(wire_bytes(codec)) / all; };
  EXPECT_NEAR(part(CodecKind::bf16), 1 / 2.0, 0.01);
  EXPECT_NEAR(part(CodecKind::fp16), 1 / 2.0, 0.01);
  EXPECT_NEAR(part(CodecKind::int8), 1 / 4.0, 0.01);
  EXPECT_NEAR(part(CodecKind::onebit), 1 / 30.0, 0.001);
  EXPECT_NEAR(part(CodecKind::topk), 0.01 * (32 + 14) / 32, 0.001);
  EXPECT_NEAR(part(CodecKind::powersgd), 4.0 * 512 / 65536, 0.001);
  EXPECT_EQ(part(CodecKind::onebit), static_cast<double>(wire_bytes(CodecKind::onebit, 0)) / all);
  EXPECT_EQ(static_cast<double>(wire_bytes(CodecKind::onebit, 1)), all) << "not in the steps before";
}

TEST(Compression, OneNodeHasNothingToCompress) {
  run_as_threads({.ranks = 3}, [](Transport& transport) {
    Communicator communicator(transport);
    ReplicaMemory memory(communicator, Arena::kFloats, Arena::kFloats);
    for (const Algorithm algorithm : {Algorithm::automatic, Algorithm::ring}) {
      const auto reducer = make_gradient_reducer(
          communicator, memory,
          {.algorithm = algorithm, .compression = {.codec = CodecKind::onebit}, .tensors = Arena::tensors()});
      EXPECT_EQ(reducer->compression(), nullptr);
      fill_step(memory, transport.rank(), 0);
      reducer->begin_step();
      reducer->ready(Arena::kFloats);
      reducer->wait_for_sums();
      reducer->finish();
      for (const ArenaSlice& slice : reducer->own_slices()) {
        for (std::size_t i = slice.offset; i < slice.end(); ++i) {
          ASSERT_NEAR(memory.gradients()[i], Arena::true_sum(3, i, 0), 1e-5);
        }
      }
    }
  });
}

TEST(Compression, SaysWhatItDoes) {
  run_as_threads({.ranks = 2, .node_of_rank = {0, 1}}, [](Transport& transport) {
    Communicator communicator(transport);
    ReplicaMemory memory(communicator, Arena::kFloats, Arena::kFloats);
    const auto text = [&](const CompressionOptions& options) {
      return make_gradient_reducer(communicator, memory,
                                   {.algorithm = Algorithm::ring, .compression = options, .tensors = Arena::tensors()})
          ->description();
    };
    EXPECT_EQ(text({.codec = CodecKind::onebit}),
              "compressed between nodes by onebit in blocks of 1024, 1 bucket of 23 KiB");
    EXPECT_EQ(text({.codec = CodecKind::topk, .after = 10, .share = 0.001}),
              "ring, after 10 steps compressed between nodes by topk of 0.1 %, 1 bucket of 23 KiB");
  });
}

TEST(Compression, RefusesWhatIsOutOfRange) {
  EXPECT_TRUE(throws_with<UserError>([] { (void)codec_named("1bit"); }, "unknown codec \"1bit\""));
  EXPECT_TRUE(throws_with<UserError>([] { check_options(CompressionOptions{.after = -1}); }, "--compress-after"));
  EXPECT_TRUE(throws_with<UserError>([] { check_options(CompressionOptions{.block = 100}); }, "--compress-block"));
  EXPECT_TRUE(throws_with<UserError>([] { check_options(CompressionOptions{.share = 0}); }, "--compress-share"));
  EXPECT_TRUE(throws_with<UserError>([] { check_options(CompressionOptions{.rank = 0}); }, "--compress-rank"));
}

// Row by row, column by column, and in blocks of eight rows, as kernels lay weights out.
std::vector<CompressibleTensor> layouts_of(std::uint32_t rows, std::uint32_t columns) {
  const ArenaSlice slice{.offset = 0, .count = std::size_t{rows} * columns};
  CompressibleTensor blocked = Arena::matrix("blocked", slice, rows, columns, 0, 8);
  for (std::uint32_t r = 0; r < rows; ++r) blocked.rows[r] = r / 8 * 8 * columns + r % 8;
  return {Arena::matrix("by_rows", slice, rows, columns, columns, 1),
          Arena::matrix("by_columns", slice, rows, columns, 1, rows), blocked};
}

// A matrix whose rank is that of the factors is sent without loss from the second step on, when the factors' columns
// span it.
TEST(PowerSgd, IsExactForMatricesOfItsRank) {
  constexpr std::uint32_t kRows = 40, kColumns = 30;
  const auto element = [](int rank, std::size_t r, std::size_t c) {
    return static_cast<float>(rank + 1) * std::sin(static_cast<float>(r)) * std::cos(static_cast<float>(c)) +
           static_cast<float>(r % 3) * static_cast<float>(c % 4);
  };
  for (const CompressibleTensor& tensor : layouts_of(kRows, kColumns)) {
    SCOPED_TRACE(tensor.name);
    run_as_threads({.ranks = 3, .node_of_rank = {0, 1, 2}}, [&](Transport& transport) {
      Communicator communicator(transport);
      PowerSgd power_sgd(communicator, 2, {tensor}, tensor.slice.count);
      const auto visit = [&](const auto& body) {
        for (std::size_t r = 0; r < kRows; ++r) {
          for (std::size_t c = 0; c < kColumns; ++c) body(r, c, tensor.rows[r] + tensor.columns[c]);
        }
      };
      std::vector<float> values(tensor.slice.count);
      for (int step = 0; step < 3; ++step) {
        visit(
            [&](std::size_t r, std::size_t c, std::size_t place) { values[place] = element(transport.rank(), r, c); });
        power_sgd.sum(transport, 0, values);
      }
      visit([&](std::size_t r, std::size_t c, std::size_t place) {
        float sum = 0;
        for (int rank = 0; rank < 3; ++rank) sum += element(rank, r, c);
        ASSERT_NEAR(values[place], sum, 1e-3) << "row " << r << ", column " << c;
      });
    });
  }
}

}  // namespace
}  // namespace convoy
