#include "convoy/run/bench/tuning_bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <variant>

#include "convoy/base/error.h"
#include "convoy/run/all_reduce_cache.h"

namespace convoy {
namespace {

class TuningBench {
 public:
  TuningBench(const Graph& graph, const TuningOptions& options, Transport& transport,
              const std::function<void(const std::string&)>& progress)
      : graph_(graph),
        options_(options),
        transport_(transport),
        progress_(progress),
        table_(all_reduce_table_for(transport, all_reduce_cache_folder())) {}

  // All ranks get the same times and so decide alike.
  void measure(TuningResult& result) {
    if (progress_) progress_(result.candidate.flags().empty() ? "the defaults" : result.candidate.flags());
    Communicator communicator(transport_, {.table = table_});
    BenchOptions options = options_.bench;
    options.reducer = result.candidate.reducer();
    options.dense_exchange = result.candidate.local_steps > 1 ? "gradients" : result.candidate.dense_exchange;
    TrainingBench bench(graph_, options, communicator);
    const std::vector<double> times = bench.run(options.seconds);
    double total = 0;
    for (const double time : times) total += time;
    result.seconds.push_back(total / static_cast<double>(times.size()));
    result.wire_bytes = bench.wire_bytes();
    result.exposed_seconds = bench.exposed_seconds();
  }

  void measure_first(const TuningCandidate& candidate, std::vector<TuningResult>& results) {
    results.push_back({.candidate = candidate});
    measure(results.back());
  }

 private:
  const Graph& graph_;
  const TuningOptions& options_;
  Transport& transport_;
  const std::function<void(const std::string&)>& progress_;
  std::optional<AllReduceTable> table_;
};

const TuningCandidate& fastest_of(const std::vector<TuningResult>& results) {
  const auto time = [](const TuningResult& result) { return result.seconds.front(); };
  return std::ranges::min_element(results, {}, time)->candidate;
}

TuningScope scope_of(const Graph& graph, const Transport& transport) {
  return {.nodes = transport.nodes().node_count(),
          .has_dense = std::ranges::any_of(
              graph.layers(), [](const Layer& layer) { return std::holds_alternative<op::Dense>(layer.op); }),
          .has_library_all_reduce = transport.has_library_all_reduce()};
}

}  // namespace

std::vector<TuningResult> tune_communication(const Graph& graph, const TuningOptions& options, Transport& transport,
                                             const std::function<void(const std::string&)>& progress) {
  if (transport.size() == 1) {
    throw UserError("there is nothing to tune on one worker: give --workers 2 or --hosts a,b");
  }
  TuningBench bench(graph, options, transport, progress);
  const TuningScope scope = scope_of(graph, transport);
  std::vector<TuningResult> results;
  for (const TuningCandidate& candidate : exact_candidates(scope)) bench.measure_first(candidate, results);
  if (const auto together = combined(results)) bench.measure_first(*together, results);
  const TuningCandidate best = fastest_of(results);
  for (const TuningCandidate& candidate : lossy_candidates(scope, best)) bench.measure_first(candidate, results);
  std::vector<TuningResult*> contenders;
  for (TuningResult& result : results) {
    if (is_contender(result, results)) contenders.push_back(&result);
  }
  for (int round = 1; round < options.rounds; ++round) {
    for (TuningResult* const result : contenders) bench.measure(*result);
  }
  return results;
}

}  // namespace convoy
