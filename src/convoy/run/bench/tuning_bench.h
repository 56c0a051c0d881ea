// Measures ways of communicating in training steps: the work behind `convoy tune`.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "convoy/comm/transport.h"
#include "convoy/graph/graph.h"
#include "convoy/run/bench/communication_tuning.h"
#include "convoy/run/bench/training_bench.h"

namespace convoy {

struct TuningOptions {
  BenchOptions bench;  // `seconds` is per candidate and round
  int rounds = 3;
};

// Collective. The first round measures the exact candidates, then the combination of the fastest value of each setting,
// then candidates that are not exact, based on the best of these. After that, those near the fastest are measured
// again, taking turns. `progress` is told what is measured next. The first result is that of the defaults; the others
// follow in the order in which they were tried. Throws UserError for one rank.
[[nodiscard]] std::vector<TuningResult> tune_communication(
    const Graph& graph, const TuningOptions& options, Transport& transport,
    const std::function<void(const std::string&)>& progress = {});

}  // namespace convoy
