// `convoy eval`: how good trained weights are on test data.
#pragma once

namespace CLI {
class App;
}

namespace convoy::cli {

void add_eval_command(CLI::App& app);

}  // namespace convoy::cli
