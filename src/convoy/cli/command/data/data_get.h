// `convoy data get`: fetches and installs a data set.
#pragma once

namespace CLI {
class App;
}

namespace convoy::cli {

// Adds the command to `convoy data`.
void add_data_get(CLI::App& data);

}  // namespace convoy::cli
