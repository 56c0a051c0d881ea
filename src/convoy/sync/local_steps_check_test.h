// What averages and block momentum must give for any world, computed in double precision.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "convoy/sync/local_steps.h"

namespace convoy {

inline std::vector<LocalOptions> all_local_options() {
  return {{.steps = 2},
          {.steps = 2, .block_rate = 0.5},
          {.steps = 4, .block_momentum = 0.75},
          {.steps = 4, .block_rate = 0.8, .block_momentum = 0.5, .block_nesterov = true}};
}

// How much the steps that a rank takes alone in a block add to a parameter.
inline double local_change(int rank, std::size_t place, int block) {
  return std::sin(1.0 + rank + 0.37 * static_cast<double>(place) + 3.0 * block);
}

// Collective: takes four blocks. Parameters after the trained ones must not change.
inline void check_local_steps(Communicator& world, const LocalOptions& options) {
  constexpr std::size_t kTrained = 83;
  constexpr std::size_t kAll = 96;
  constexpr int kBlocks = 4;
  ReplicaMemory memory(world, kAll, kTrained);
  LocalSteps local(world, memory, {.bucket_bytes = 100, .local = options});
  const std::span<float> values = memory.parameters();
  std::ranges::fill(values, 1.0F);
  std::vector<double> model(kTrained, 1.0);
  std::vector<double> change(kTrained, 0.0);
  std::vector<double> begin = model;
  local.begin();
  for (int block = 0; block < kBlocks; ++block) {
    const bool goes_on = block + 1 < kBlocks;
    std::vector<float> statistics = {static_cast<float>(world.rank()), 2.0F};
    for (std::size_t i = 0; i < kTrained; ++i) values[i] += static_cast<float>(local_change(world.rank(), i, block));
    local.average(statistics, goes_on);
    EXPECT_NEAR(statistics[0], (world.size() - 1) / 2.0, 1e-5);
    EXPECT_NEAR(statistics[1], 2.0, 1e-6);
    for (std::size_t i = 0; i < kTrained; ++i) {
      double mean = 0;
      for (int rank = 0; rank < world.size(); ++rank) mean += local_change(rank, i, block) / world.size();
      change[i] = options.block_momentum * change[i] + options.block_rate * mean;
      model[i] += change[i];
      begin[i] = model[i] + (options.block_nesterov && goes_on ? options.block_momentum * change[i] : 0);
      ASSERT_NEAR(values[i], begin[i], 1e-5) << "block " << block << " place " << i;
    }
    for (std::size_t i = kTrained; i < kAll; ++i) ASSERT_EQ(values[i], 1.0F);
  }
}

}  // namespace convoy
