// How long training waits for its samples: the work behind `convoy bench data --model`.
#pragma once

#include "convoy/data/loader/loader.h"
#include "convoy/run/bench/training_bench.h"

namespace convoy {

struct InputWait {
  int loader_threads = 0;
  int compute_threads = 0;
  double step_seconds = 0;   // median; the wait for input and its copy into the network included
  double input_seconds = 0;  // the part of that
  int steps = 0;
};

// Trains `graph` on batches of `source`, which has its input and classes, for `seconds`. `options.threads` are the
// cores that loader and compute share: as many make samples as loader_threads() says, by a short measurement of both.
[[nodiscard]] InputWait measure_input_wait(const Graph& graph, const BenchOptions& options, const data::Source& source,
                                           data::LoaderOptions loader);

}  // namespace convoy
