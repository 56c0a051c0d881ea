// The sub-commands of `convoy data`. Each function adds one to it.
#pragma once

namespace CLI {
class App;
}

namespace convoy::cli {

// `convoy data get`: fetches and installs a data set.
void add_data_get(CLI::App& data);

// `convoy data info`: what a data set contains, and which samples are unreadable.
void add_data_info(CLI::App& data);

// `convoy data list`: which data sets are known, and which are installed.
void add_data_list(CLI::App& data);

// `convoy data pack`: decodes and resizes images once into one file.
void add_data_pack(CLI::App& data);

// `convoy data preview`: a picture of samples beside their augmented appearances.
void add_data_preview(CLI::App& data);

}  // namespace convoy::cli
