// `convoy data info`: what is in a data set, and what of it is unreadable.
#pragma once

namespace CLI {
class App;
}

namespace convoy::cli {

// Adds the command to `convoy data`.
void add_data_info(CLI::App& data);

}  // namespace convoy::cli
