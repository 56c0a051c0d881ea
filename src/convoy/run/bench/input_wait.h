// Measures how long training waits for its samples: the work behind `convoy bench data --model`.
#pragma once

#include "convoy/data/loader/loader.h"
#include "convoy/run/bench/training_bench.h"

namespace convoy {

struct InputWait {
  int loader_threads = 0;
  int compute_threads = 0;
  double step_seconds = 0;   // median; includes waiting for input and copying it into the network
  double input_seconds = 0;  // that part of it
  int steps = 0;
};

// Trains `graph` on batches of `source`, which must have its input and classes, for `seconds`. The loader and the
// computation share `options.threads` cores: a short measurement of both decides, by loader_threads(), how many of them
// make samples.
[[nodiscard]] InputWait measure_input_wait(const Graph& graph, const BenchOptions& options, const data::Source& source,
                                           data::LoaderOptions loader);

}  // namespace convoy
