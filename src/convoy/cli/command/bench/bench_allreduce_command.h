// The flags and the output of `convoy bench allreduce`.
#pragma once

namespace CLI {
class App;
}

namespace convoy::cli {

// Adds the sub-command to `convoy bench`.
void add_bench_allreduce(CLI::App& bench);

}  // namespace convoy::cli
