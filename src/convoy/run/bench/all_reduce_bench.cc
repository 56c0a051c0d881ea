#include "convoy/run/bench/all_reduce_bench.h"

#include <algorithm>
#include <span>

#include "convoy/base/statistics.h"
#include "convoy/comm/all_reduce_measurement.h"
#include "convoy/comm/communicator.h"

namespace convoy {
namespace {

constexpr int kLeastRounds = 3;
constexpr int kMostRounds = 1000;

// Whole numbers, so that their sums are exact.
float number_of(int rank, std::size_t element) { return static_cast<float>(element % 251 + rank); }

float sum_of_numbers(int ranks, std::size_t element) {
  const auto n = static_cast<float>(ranks);
  return static_cast<float>(element % 251) * n + n * (n - 1) / 2;
}

// Collective. Leaves zeros, so that repeated sums do not overflow.
bool is_correct(Communicator& communicator, std::span<float> values, Algorithm algorithm) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = number_of(communicator.rank(), i);
  }
  communicator.all_reduce(values, algorithm);
  bool correct = true;
  for (std::size_t i = 0; i < values.size(); ++i) {
    correct = correct && values[i] == sum_of_numbers(communicator.size(), i);
  }
  std::ranges::fill(values, 0.0F);
  return communicator.min(correct ? 1 : 0) > 0;
}

// The algorithms take turns, so that a disturbance of the machine affects all of them alike. Times, and thus the number
// of rounds, are the same on all ranks.
std::vector<std::vector<double>> time_in_turns(Communicator& communicator, std::span<float> values,
                                               std::span<const Algorithm> algorithms, double seconds) {
  std::vector<std::vector<double>> times(algorithms.size());
  double sum = 0;
  for (int round = 0; round < kMostRounds && (round < kLeastRounds || sum < seconds); ++round) {
    for (std::size_t i = 0; i < algorithms.size(); ++i) {
      times[i].push_back(time_all_reduce(communicator, values, algorithms[i]));
      sum += times[i].back();
    }
  }
  return times;
}

std::vector<AllReduceBenchRow> bench_size(Communicator& communicator, std::span<float> values,
                                          std::span<const Algorithm> algorithms, double seconds) {
  std::vector<AllReduceBenchRow> rows;
  for (const Algorithm algorithm : algorithms) {
    rows.push_back({.bytes = values.size_bytes(),
                    .algorithm = algorithm,
                    .runs = algorithm == Algorithm::automatic ? communicator.chosen_for(values) : algorithm,
                    .correct = is_correct(communicator, values, algorithm)});
  }
  const auto times = time_in_turns(communicator, values, algorithms, seconds);
  const double share = 2.0 * (communicator.size() - 1) / communicator.size();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].median_seconds = median(times[i]);
    rows[i].minimum_seconds = *std::ranges::min_element(times[i]);
    rows[i].bus_bytes_per_second = share * static_cast<double>(rows[i].bytes) / rows[i].median_seconds;
  }
  return rows;
}

}  // namespace

std::vector<AllReduceBenchRow> bench_allreduce(Transport& transport, const AllReduceBenchOptions& options,
                                               const std::optional<AllReduceTable>& table) {
  Communicator communicator(transport, {.table = table});
  std::vector<Algorithm> algorithms = options.algorithms;
  if (algorithms.empty()) {
    algorithms = candidate_algorithms(transport);
    algorithms.push_back(Algorithm::automatic);
  }
  const std::size_t largest = std::ranges::max(options.sizes_bytes);
  std::vector<float> ordinary(options.in_shared_memory ? 0 : largest / sizeof(float));
  const auto memory =
      options.in_shared_memory ? communicator.allocate_shared(largest) : std::as_writable_bytes(std::span(ordinary));
  std::vector<AllReduceBenchRow> rows;
  for (const std::size_t bytes : options.sizes_bytes) {
    const std::span<float> values(reinterpret_cast<float*>(memory.data()), bytes / sizeof(float));
    const auto of_size = bench_size(communicator, values, algorithms, options.seconds);
    rows.insert(rows.end(), of_size.begin(), of_size.end());
  }
  return rows;
}

}  // namespace convoy
