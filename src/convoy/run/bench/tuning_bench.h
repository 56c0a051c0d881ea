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
  BenchOptions bench;  // `seconds`: of each candidate in each round
  int rounds = 3;
};

// Collective. In the first round the exact ways, what is fastest of each setting together, and on top of the best of
// them those that are not exact. Then those that are near the fastest again, in turns. `progress` is told what is
// measured next. The first result is that of the defaults; the others follow in the order of trying. Throws UserError
// for one rank.
[[nodiscard]] std::vector<TuningResult> tune_communication(
    const Graph& graph, const TuningOptions& options, Transport& transport,
    const std::function<void(const std::string&)>& progress = {});

}  // namespace convoy
