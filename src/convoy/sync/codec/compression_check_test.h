// What a compression must do, checked on every rank of a communicator: used over threads and over MPI.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "convoy/comm/all_reduce_check_test.h"
#include "convoy/sync/gradient_reducer.h"

namespace convoy {

// An arena with a padded matrix, a bias, a matrix that is laid out column by column, and a matrix too small to factor.
struct CompressibleArena {
  static constexpr std::size_t kFloats = 6000;
  static constexpr ArenaSlice kPadded{.offset = 0, .count = 48 * 64};  // 48 x 50 in rows of 64
  static constexpr ArenaSlice kBias{.offset = 48 * 64, .count = 48};
  static constexpr ArenaSlice kTurned{.offset = 3136, .count = 60 * 37};  // 37 x 60
  static constexpr ArenaSlice kSmall{.offset = 5360, .count = 2 * 3};     // 2 x 3

  [[nodiscard]] static CompressibleTensor matrix(const std::string& name, const ArenaSlice& slice, std::uint32_t rows,
                                                 std::uint32_t columns, std::uint32_t row_stride,
                                                 std::uint32_t column_stride) {
    CompressibleTensor tensor{.name = name, .slice = slice, .rows = {}, .columns = {}, .padding = {}};
    for (std::uint32_t r = 0; r < rows; ++r) tensor.rows.push_back(r * row_stride);
    for (std::uint32_t c = 0; c < columns; ++c) tensor.columns.push_back(c * column_stride);
    return tensor;
  }

  [[nodiscard]] static std::vector<CompressibleTensor> tensors() {
    std::vector<CompressibleTensor> all = {matrix("padded", kPadded, 48, 50, 64, 1),
                                           matrix("turned", kTurned, 37, 60, 1, 37),
                                           matrix("small", kSmall, 2, 3, 3, 1)};
    for (std::size_t r = 0; r < 48; ++r) all[0].padding.push_back({.offset = r * 64 + 50, .count = 14});
    return all;
  }

  [[nodiscard]] static bool is_padding(std::size_t i) { return i < kPadded.end() && i % 64 >= 50; }

  // A gradient of low rank with some noise, as real ones are; whole numbers in the parts that are not compressed.
  [[nodiscard]] static float gradient(int rank, std::size_t i, int step) {
    if (is_padding(i)) return 0;
    if (i >= kBias.offset && i < kTurned.offset) return static_cast<float>(rank + 1 + step);
    if (i >= kTurned.end()) return static_cast<float>(rank + 1) + static_cast<float>(i % 5);
    const std::size_t row = i < kBias.offset ? i / 64 : i % 37;
    const std::size_t column = i < kBias.offset ? i % 64 : i / 37;
    const auto low_rank = static_cast<float>((row * 7 % 11) * (column * 5 % 13)) - 30.0F;
    return 0.01F * low_rank * static_cast<float>(rank + 1) + 0.05F * awkward_number(rank, i * 31 + row) / 4096.0F;
  }

  [[nodiscard]] static double true_sum(int ranks, std::size_t i, int step) {
    double sum = 0;
    for (int rank = 0; rank < ranks; ++rank) sum += gradient(rank, i, step);
    return sum;
  }
};

// How near the sum over all steps, including the error that is still kept, must come to the true sum; for codecs
// without an error, the same for one step. Sums grow with the number of ranks, and rounding errors with them.
inline double tolerance_of(CodecKind codec, int ranks) {
  const double growth = std::max(1.0, ranks / 4.0);
  switch (codec) {
    case CodecKind::bf16:
      return 0.3 * growth;
    case CodecKind::fp16:
      return 0.05 * growth;
    case CodecKind::int8:
      return 0.8 * growth;
    default:
      return 0.01;
  }
}

inline void fill_step(ReplicaMemory& memory, int rank, int step) {
  for (std::size_t i = 0; i < memory.gradients().size(); ++i) {
    memory.gradients()[i] = CompressibleArena::gradient(rank, i, step);
  }
}

// Collective: the sum of what all nodes have not sent yet, for each element.
inline std::vector<double> owed_by_all(Communicator& communicator, Compression* compression) {
  std::vector<double> owed(CompressibleArena::kFloats, 0.0);
  const bool leads = communicator.nodes().local_rank_of(communicator.rank()) == 0;
  if (compression != nullptr && leads && !compression->error().empty()) {
    for (std::size_t i = 0; i < owed.size(); ++i) owed[i] = compression->error()[i];
  }
  communicator.sum(owed);
  return owed;
}

// Collective, on several nodes. Takes several steps and checks that all ranks have the same bits, that what is not
// compressed is exact, that padding stays zero, and that nothing is lost for good.
inline void check_compression(Communicator& communicator, const CompressionOptions& options) {
  using Arena = CompressibleArena;
  constexpr int kSteps = 4;
  ReplicaMemory memory(communicator, Arena::kFloats, Arena::kFloats);
  const auto reducer = make_gradient_reducer(
      communicator, memory, {.bucket_bytes = 4096, .compression = options, .tensors = CompressibleArena::tensors()});
  const std::string what = reducer->description() + " on rank " + std::to_string(communicator.rank()) + " of " +
                           std::to_string(communicator.size());
  std::vector<double> got(Arena::kFloats, 0.0);
  for (int step = 0; step < kSteps; ++step) {
    fill_step(memory, communicator.rank(), step);
    reducer->begin_step({}, step);
    for (std::size_t ready = 500; ready <= Arena::kFloats; ready += 500) reducer->ready(ready);
    reducer->wait_for_sums();
    reducer->finish();
    std::vector<float> first(memory.gradients().begin(), memory.gradients().end());
    communicator.broadcast(std::as_writable_bytes(std::span(first)));
    EXPECT_EQ(std::memcmp(first.data(), memory.gradients().data(), memory.gradients().size_bytes()), 0) << what;
    for (std::size_t i = 0; i < Arena::kFloats; ++i) {
      got[i] += memory.gradients()[i];
      const bool is_exact = Arena::is_padding(i) || (i >= Arena::kBias.offset && i < Arena::kTurned.offset);
      if (is_exact) {
        ASSERT_EQ(memory.gradients()[i], Arena::true_sum(communicator.size(), i, step)) << what << ", element " << i;
      }
    }
  }
  const std::vector<double> owed = owed_by_all(communicator, reducer->compression());
  for (std::size_t i = 0; i < Arena::kFloats; ++i) {
    double truth = 0;
    for (int step = 0; step < kSteps; ++step) truth += Arena::true_sum(communicator.size(), i, step);
    ASSERT_NEAR(got[i] + owed[i], truth, tolerance_of(options.codec, communicator.size())) << what << ", element " << i;
  }
}

inline std::vector<CompressionOptions> all_compressions() {
  std::vector<CompressionOptions> all;
  for (const std::string& name : codec_names()) {
    if (name != "none") all.push_back({.codec = codec_named(name), .block = 64, .share = 0.1, .rank = 2});
  }
  return all;
}

}  // namespace convoy
