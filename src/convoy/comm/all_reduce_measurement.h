// Measures the all-reduce algorithms on the ranks of this run.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "convoy/comm/all_reduce_table.h"
#include "convoy/comm/communicator.h"

namespace convoy {

struct AllReduceMeasurement {
  // In ascending order. Each rank needs twice the memory of the largest.
  std::vector<std::size_t> sizes_bytes = {1U << 10U, 1U << 13U, 1U << 16U, 1U << 19U, 1U << 22U, 1U << 24U};
  // About how long the measurement takes. Sizes that would take longer are left out.
  double seconds = 2;
};

// Collective: the time of one all-reduce on the slowest rank, from the moment when all ranks are ready; the mean of
// `in_a_row` repetitions. All ranks get the same number, so that they decide alike. The values are replaced by their
// sum.
[[nodiscard]] double time_all_reduce(Communicator& communicator, std::span<float> values, Algorithm algorithm,
                                     int in_a_row = 1);

// What "auto" chooses from: all algorithms that work over this transport.
[[nodiscard]] std::vector<Algorithm> candidate_algorithms(const Transport& transport);

// Collective; needs at least two ranks and returns the same table on all of them. The memory it uses is freed when it
// returns.
[[nodiscard]] AllReduceTable measure_all_reduce(Transport& transport, const AllReduceMeasurement& measurement = {});

}  // namespace convoy
