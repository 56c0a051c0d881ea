// `convoy models`: the networks of the zoo and what they cost.
#pragma once

namespace CLI {
class App;
}

namespace convoy::cli {

void add_models_command(CLI::App& app);

}  // namespace convoy::cli
