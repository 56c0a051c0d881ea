// The sub-commands of `convoy data`. Each function adds its own to it.
#pragma once

namespace CLI {
class App;
}

namespace convoy::cli {

// `convoy data get`: fetches and installs a data set.
void add_data_get(CLI::App& data);

// `convoy data info`: what is in a data set, and what of it is unreadable.
void add_data_info(CLI::App& data);

// `convoy data list`: which data sets are known, and which are here.
void add_data_list(CLI::App& data);

// `convoy data pack`: decodes and resizes images once into one file.
void add_data_pack(CLI::App& data);

// `convoy data preview`: a picture of samples beside their augmented appearances.
void add_data_preview(CLI::App& data);

}  // namespace convoy::cli
