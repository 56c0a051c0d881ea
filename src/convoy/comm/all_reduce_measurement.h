// Measuring the all-reduce algorithms on the ranks at hand.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "convoy/comm/all_reduce_table.h"
#include "convoy/comm/communicator.h"

namespace convoy {

struct AllReduceMeasurement {
  // In ascending order. At the largest, each rank needs that much memory twice.
  std::vector<std::size_t> sizes_bytes = {1U << 10U, 1U << 13U, 1U << 16U, 1U << 19U, 1U << 22U, 1U << 24U};
  // About how long it takes in all. Sizes that would take longer are left out.
  double seconds = 2;
};

// Collective: how long one all-reduce of the values takes from the moment all ranks are there, on the slowest rank; the
// mean of `in_a_row`. The same number on all ranks, so that they can decide alike. The values are replaced by their
// sum.
[[nodiscard]] double time_all_reduce(Communicator& communicator, std::span<float> values, Algorithm algorithm,
                                     int in_a_row = 1);

// What "auto" chooses from: all algorithms that work over this transport.
[[nodiscard]] std::vector<Algorithm> candidate_algorithms(const Transport& transport);

// Collective: the same table on all ranks. At least two ranks. Its memory is gone when it returns.
[[nodiscard]] AllReduceTable measure_all_reduce(Transport& transport, const AllReduceMeasurement& measurement = {});

}  // namespace convoy
