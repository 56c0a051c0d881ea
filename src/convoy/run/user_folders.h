// The folders of a user: for caches, which can be made again, and for data sets.
#pragma once

#include <filesystem>

namespace convoy {

// $XDG_CACHE_HOME/convoy, else ~/.cache/convoy; empty when neither variable is set.
[[nodiscard]] std::filesystem::path cache_folder();

// The tuning cache in that folder; empty if there is none.
[[nodiscard]] std::filesystem::path tuning_cache_file();

// Data sets: $XDG_DATA_HOME/convoy, else ~/.local/share/convoy, else "convoy-data" in the current folder.
[[nodiscard]] std::filesystem::path default_data_folder();

}  // namespace convoy
