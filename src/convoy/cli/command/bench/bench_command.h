// `convoy bench`: how fast this machine trains a network, as a whole and layer by layer.
#pragma once

namespace CLI {
class App;
}

namespace convoy::cli {

void add_bench_command(CLI::App& app);

}  // namespace convoy::cli
