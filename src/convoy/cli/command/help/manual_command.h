// `convoy manual`: the manual pages of the commands.
#pragma once

namespace CLI {
class App;
}

namespace convoy::cli {

void add_manual_command(CLI::App& app);

}  // namespace convoy::cli
