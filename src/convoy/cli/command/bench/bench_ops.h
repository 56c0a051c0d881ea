// `convoy bench ops`: where the time of a training step goes, layer by layer and pass by pass.
#pragma once

#include <string>

#include "convoy/run/bench/training_bench.h"

namespace convoy::cli {

void bench_ops(const std::string& model, const Graph& graph, const BenchOptions& options, bool json);

}  // namespace convoy::cli
