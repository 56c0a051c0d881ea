// `convoy summary`: a network layer by layer, and what training it takes.
#pragma once

namespace CLI {
class App;
}

namespace convoy::cli {

void add_summary_command(CLI::App& app);

}  // namespace convoy::cli
