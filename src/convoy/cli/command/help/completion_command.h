// `convoy completion`: the script by which a shell completes convoy's command line.
#pragma once

namespace CLI {
class App;
}

namespace convoy::cli {

void add_completion_command(CLI::App& app);

}  // namespace convoy::cli
