// `convoy bench allreduce`: how long each all-reduce takes at each size, and whether its result is right.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "convoy/comm/all_reduce_table.h"
#include "convoy/comm/transport.h"

namespace convoy {

struct AllReduceBenchOptions {
  std::vector<std::size_t> sizes_bytes = {1U << 10U, 1U << 14U, 1U << 18U, 1U << 22U, 1U << 26U};
  std::vector<Algorithm> algorithms = {};  // empty: all that this transport has, and `automatic`
  double seconds = 1;                      // for each size
  bool in_shared_memory = true;            // like gradients; otherwise in ordinary memory
};

struct AllReduceBenchRow {
  std::size_t bytes = 0;
  Algorithm algorithm = Algorithm::ring;
  Algorithm runs = Algorithm::ring;  // the algorithm itself, or the one that `automatic` chose
  double median_seconds = 0;         // on the slowest rank
  double minimum_seconds = 0;
  double bus_bytes_per_second = 0;  // 2(n-1)/n of the bytes, divided by the median: what each rank must at least send
  bool correct = false;             // all elements on all ranks
};

// Collective: returns the same rows on all ranks, by size and in the order of algorithms. `automatic` chooses by
// `table`.
[[nodiscard]] std::vector<AllReduceBenchRow> bench_allreduce(Transport& transport, const AllReduceBenchOptions& options,
                                                             const std::optional<AllReduceTable>& table);

}  // namespace convoy
