// `convoy bench train`: measures training steps and prints the result.
#pragma once

#include <string>

#include "convoy/run/bench/training_bench.h"

namespace convoy::cli {

void bench_train(const std::string& model, const Graph& graph, const BenchOptions& options, bool json);

}  // namespace convoy::cli
