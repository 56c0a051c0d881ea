// `convoy bench data`: how fast samples are read, augmented and normalised.
#pragma once

namespace CLI {
class App;
}

namespace convoy::cli {

// Adds the sub-command to `convoy bench`.
void add_bench_data(CLI::App& bench);

}  // namespace convoy::cli
