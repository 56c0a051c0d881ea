// `convoy data`: list, get, inspect and pack data sets.
#pragma once

namespace CLI {
class App;
}

namespace convoy::cli {

void add_data_command(CLI::App& app);

}  // namespace convoy::cli
