// `convoy lr-find`: which learning rate to begin with.
#pragma once

namespace CLI {
class App;
}

namespace convoy::cli {

void add_lr_find_command(CLI::App& app);

}  // namespace convoy::cli
