// `convoy data pack`: decodes and resizes images once into one file.
#pragma once

namespace CLI {
class App;
}

namespace convoy::cli {

// Adds the command to `convoy data`.
void add_data_pack(CLI::App& data);

}  // namespace convoy::cli
