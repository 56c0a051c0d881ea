#include "convoy/run/bench/input_wait.h"

#include <algorithm>

#include "convoy/base/check.h"
#include "convoy/base/clock.h"
#include "convoy/base/statistics.h"
#include "convoy/comm/solo/solo_transport.h"
#include "convoy/data/loader/loader_rate.h"

namespace convoy {
namespace {

double seconds_to_make(const data::Source& source, data::LoaderOptions loader) {
  constexpr double kSeconds = 0.3;
  loader.threads = 0;
  return 1 / median(data::measure_loader(source, loader, kSeconds).rates);
}

// The time to train on one sample.
double seconds_to_compute(const Graph& graph, const BenchOptions& options) {
  constexpr double kSeconds = 0.3;
  SoloTransport alone;
  Communicator communicator(alone);
  return median(TrainingBench(graph, options, communicator).run(kSeconds)) / static_cast<double>(options.batch);
}

// Whether the batch is as large as the network's; the last one of an epoch may be smaller.
bool feed(const data::Batch& batch, Network& network) {
  if (batch.labels.size() != network.labels().size()) return false;
  std::copy(batch.images.begin(), batch.images.end(), network.input().begin());
  std::copy(batch.labels.begin(), batch.labels.end(), network.labels().begin());
  return true;
}

}  // namespace

InputWait measure_input_wait(const Graph& graph, const BenchOptions& options, const data::Source& source,
                             data::LoaderOptions loader) {
  const double make = seconds_to_make(source, loader);
  loader.threads = data::loader_threads(options.threads, make, seconds_to_compute(graph, options));
  BenchOptions compute = options;
  compute.threads = options.threads - loader.threads;
  SoloTransport alone;
  Communicator communicator(alone);
  TrainingBench bench(graph, compute, communicator);
  data::Loader batches(source, loader);
  std::vector<double> steps;
  std::vector<double> inputs;
  const auto begin = Clock::now();
  for (int i = 0; seconds_since(begin) < options.seconds || steps.empty(); ++i) {
    const auto step_begin = Clock::now();
    const data::Batch* const batch = batches.next();
    CONVOY_CHECK(batch != nullptr);
    if (!feed(*batch, bench.network())) continue;
    const double input = seconds_since(step_begin);
    bench.step();
    if (i < kWarmUpSteps) continue;
    inputs.push_back(input);
    steps.push_back(seconds_since(step_begin));
  }
  return {.loader_threads = loader.threads,
          .compute_threads = compute.threads,
          .step_seconds = median(steps),
          .input_seconds = median(inputs),
          .steps = static_cast<int>(steps.size())};
}

}  // namespace convoy
