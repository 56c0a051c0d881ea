// The sub-commands of `convoy bench`.
#pragma once

#include <string>

#include "convoy/run/bench/training_bench.h"

namespace CLI {
class App;
}

namespace convoy::cli {

// Adds `convoy bench allreduce`: how fast ranks sum their gradients, by algorithm and size.
void add_bench_allreduce(CLI::App& bench);

// Adds `convoy bench data`: how fast samples are read, augmented and normalised.
void add_bench_data(CLI::App& bench);

// Implements `convoy bench ops`: prints where the time of a training step goes, layer by layer and pass by pass.
void bench_ops(const std::string& model, const Graph& graph, const BenchOptions& options, bool json);

// Implements `convoy bench train`: measures training steps and prints the result.
void bench_train(const std::string& model, const Graph& graph, const BenchOptions& options, bool json);

}  // namespace convoy::cli
