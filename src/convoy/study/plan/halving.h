// Successive halving: many settings are trained a little, the best of them longer, until few are left. Each round is a
// rung; on the next one a share of 1 / eta goes on for eta times the epochs, so rungs cost about the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace convoy::study {

struct HalvingOptions {
  std::int64_t eta = 3;           // at least 2
  std::int64_t first_epochs = 1;  // of the first rung, at least 1
  std::int64_t last_epochs = 1;   // of the last, at least first_epochs
};

// The epochs each rung trains to in all: first, first * eta, ..., and always last_epochs at the end.
[[nodiscard]] std::vector<std::int64_t> halving_rungs(const HalvingOptions& options);

struct HalvingPoint {
  std::int64_t group = 0;  // 0 for all, or the number of workers: groups are cut each by itself
  double loss = 0;         // at the end of the current rung; not finite when it diverged or failed
};

// Indices of the points that go on, ascending: of each group the n / eta (rounded down, at least one) with the smallest
// loss, of equals those given first. What is not finite never goes on, so a group of nothing else ends.
[[nodiscard]] std::vector<std::size_t> halving_survivors(std::span<const HalvingPoint> points, std::int64_t eta);

}  // namespace convoy::study
