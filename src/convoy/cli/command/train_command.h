// `convoy train`: from one command to a trained, tested network in a run folder.
#pragma once

namespace CLI {
class App;
}

namespace convoy::cli {

void add_train_command(CLI::App& app);

}  // namespace convoy::cli
