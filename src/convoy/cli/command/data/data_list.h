// `convoy data list`: which data sets are known, and which are here.
#pragma once

namespace CLI {
class App;
}

namespace convoy::cli {

// Adds the command to `convoy data`.
void add_data_list(CLI::App& data);

}  // namespace convoy::cli
