#include "convoy/comm/all_reduce_measurement.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "convoy/base/check.h"
#include "convoy/base/clock.h"

namespace convoy {
namespace {

constexpr int kMostRounds = 25;
// When an algorithm takes more than kHopeless times as long as the best at this size or above, it is not measured at
// larger sizes.
constexpr std::size_t kTellingBytes = std::size_t{64} << 10U;
constexpr double kHopeless = 2;
// From kTellingBytes on, several all-reduces are timed in a row: training sends bucket after bucket, and buffers on the
// way accept a single one quickly but are full after a few.
constexpr int kInARow = 4;

int times_in_a_row(std::size_t bytes) { return bytes < kTellingBytes ? 1 : kInARow; }

// Measures all sizes in one memory. The remaining time and all decisions are the same on all ranks.
class Race {
 public:
  Race(Communicator& communicator, std::span<float> memory, std::vector<Algorithm> candidates, double seconds)
      : communicator_(communicator), memory_(memory), candidates_(std::move(candidates)), seconds_(seconds) {}

  std::vector<AllReduceRow> run(const std::vector<std::size_t>& sizes_bytes) {
    std::vector<AllReduceRow> rows;
    for (std::size_t i = 0; i < sizes_bytes.size(); ++i) {
      rows.push_back(measure(sizes_bytes[i], left() / static_cast<double>(sizes_bytes.size() - i)));
      drop_hopeless(rows.back());
      if (i + 1 < sizes_bytes.size() && next_takes_too_long(rows.back(), sizes_bytes[i + 1])) break;
    }
    return rows;
  }

 private:
  [[nodiscard]] double left() { return seconds_ - communicator_.max(seconds_since(begin_)); }

  // The algorithms take turns, so that a disturbance of the machine affects all of them alike. The first round only
  // warms up and shows how many rounds there is time for; if there is none, its times are used.
  AllReduceRow measure(std::size_t bytes, double seconds) {
    const std::span<float> values = memory_.first(bytes / sizeof(float));
    std::vector<std::vector<double>> times(candidates_.size());
    const double warm_up = time_round(values, times);
    const int rounds = static_cast<int>(std::clamp(seconds / warm_up - 1, 0.0, static_cast<double>(kMostRounds)));
    if (rounds > 0) times.assign(candidates_.size(), {});
    for (int round = 0; round < rounds; ++round) {
      time_round(values, times);
    }
    AllReduceRow row{.bytes = bytes, .times = {}};
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
      // The shortest time: what else the machine does can only make times longer.
      row.times.push_back({.algorithm = candidates_[i], .seconds = std::ranges::min(times[i])});
    }
    return row;
  }

  double time_round(std::span<float> values, std::vector<std::vector<double>>& times) {
    double sum = 0;
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
      const int in_a_row = times_in_a_row(values.size_bytes());
      times[i].push_back(time_all_reduce(communicator_, values, candidates_[i], in_a_row));
      sum += times[i].back() * in_a_row;
    }
    return sum;
  }

  void drop_hopeless(const AllReduceRow& row) {
    if (row.bytes < kTellingBytes) return;
    const double best = std::ranges::min(row.times, {}, &AllReduceTime::seconds).seconds;
    for (const AllReduceTime& time : row.times) {
      // The usual algorithm always stays in the race, even if a disturbance made it look slow.
      const bool usual = time.algorithm == communicator_.chosen_for(memory_);
      if (!usual && time.seconds > kHopeless * best) std::erase(candidates_, time.algorithm);
    }
  }

  [[nodiscard]] bool next_takes_too_long(const AllReduceRow& row, std::size_t next_bytes) {
    double round = 0;
    for (const AllReduceTime& time : row.times) {
      if (std::ranges::count(candidates_, time.algorithm) != 0) round += time.seconds;
    }
    const double growth = static_cast<double>(next_bytes) / static_cast<double>(row.bytes);
    return round * growth * times_in_a_row(next_bytes) > left();
  }

  Communicator& communicator_;
  std::span<float> memory_;
  std::vector<Algorithm> candidates_;
  double seconds_;
  Clock::time_point begin_ = Clock::now();
};

}  // namespace

double time_all_reduce(Communicator& communicator, std::span<float> values, Algorithm algorithm, int in_a_row) {
  communicator.barrier();
  const Clock::time_point begin = Clock::now();
  for (int i = 0; i < in_a_row; ++i) communicator.all_reduce(values, algorithm);
  return communicator.max(seconds_since(begin)) / in_a_row;
}

std::vector<Algorithm> candidate_algorithms(const Transport& transport) {
  std::vector<Algorithm> algorithms;
  for (const std::string& name : algorithm_names()) {
    const Algorithm algorithm = algorithm_named(name);
    if (algorithm == Algorithm::automatic) continue;
    if (algorithm == Algorithm::mpi && !transport.has_library_all_reduce()) continue;
    algorithms.push_back(algorithm);
  }
  return algorithms;
}

AllReduceTable measure_all_reduce(Transport& transport, const AllReduceMeasurement& measurement) {
  CONVOY_CHECK_LT(1, transport.size());
  CONVOY_CHECK(!measurement.sizes_bytes.empty());
  Communicator communicator(transport);
  const std::size_t largest = measurement.sizes_bytes.back();
  const std::span<std::byte> shared = communicator.allocate_shared(largest);
  std::vector<float> elsewhere(largest / sizeof(float));
  const std::vector<Algorithm> candidates = candidate_algorithms(transport);
  const auto race = [&](std::span<float> memory) {
    return Race(communicator, memory, candidates, measurement.seconds / 2).run(measurement.sizes_bytes);
  };
  return {.topology = topology_of(transport.nodes()),
          .shared = race({reinterpret_cast<float*>(shared.data()), elsewhere.size()}),
          .elsewhere = race(elsewhere)};
}

}  // namespace convoy
