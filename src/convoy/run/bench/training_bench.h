// Trains a network on generated data and measures it: the work behind `convoy bench`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "convoy/base/clock.h"
#include "convoy/base/statistics.h"
#include "convoy/engine/network.h"
#include "convoy/engine/tuning_cache.h"
#include "convoy/train/replica_network.h"

namespace convoy {

struct BenchOptions {
  std::int64_t batch = 32;
  int threads = 1;
  double seconds = 5;
  bool exact = false;
  DataType precision = DataType::fp32;
  bool use_cache = true;
  ReducerOptions reducer;
  std::string dense_exchange = "gradients";  // between nodes, like --dense-exchange
};

// Steps before the clock starts, since the first ones touch memory for the first time and fill caches.
inline constexpr int kWarmUpSteps = 2;

// A network with generated samples and labels, and an optimizer.
class TrainingBench {
 public:
  // Compiles and initialises. Throws UserError when the batch does not fit into memory. Collective: the ranks share the
  // batch. `communicator` must outlive the bench.
  TrainingBench(const Graph& graph, const BenchOptions& options, Communicator& communicator);

  // One step of SGD with momentum; each parameter is updated as soon as its gradient is complete.
  void step(Profile* profile = nullptr);

  // Collective. The seconds of each step on the slowest rank, for at least `seconds` and three steps. With local steps,
  // measures whole blocks.
  [[nodiscard]] std::vector<double> run(double seconds);
  // Per step, communication that was not hidden behind computation: the mean over the steps of run() and all ranks.
  [[nodiscard]] double exposed_seconds() const { return exposed_seconds_; }
  // Per step, bytes that all ranks together sent to other nodes: the mean over the steps of run().
  [[nodiscard]] double wire_bytes() const { return wire_bytes_; }

  [[nodiscard]] Network& network() { return trained_.network; }
  [[nodiscard]] double compile_seconds() const { return compile_seconds_; }
  // Time that profiled steps spent in the optimizer.
  [[nodiscard]] double update_seconds() const { return update_seconds_; }
  // Notes of the tuning cache, for stderr.
  [[nodiscard]] const std::vector<std::string>& notes() const { return cache_.notes(); }
  // Floating-point operations of all convolutions and dense layers in one step, counted as for direct arithmetic.
  [[nodiscard]] double flops_per_step() const;

 private:
  void fill_batch();
  [[nodiscard]] double timed_step();

  std::int64_t global_batch_;
  Communicator& communicator_;
  TuningCache cache_;
  double compile_seconds_ = 0;
  ReplicaNetwork trained_;
  UpdateSlice update_;
  Clock::time_point lap_;  // when the last step ended
  double step_exposed_seconds_ = 0;
  double exposed_seconds_ = 0;
  double wire_bytes_ = 0;
  std::uint64_t steps_ = 0;
  double update_seconds_ = 0;
};

}  // namespace convoy
