// Where Convoy keeps what it can make again: the tuning cache.
#pragma once

#include <filesystem>

namespace convoy {

// $XDG_CACHE_HOME/convoy, else ~/.cache/convoy; empty when neither variable is set.
[[nodiscard]] std::filesystem::path cache_folder();

// The tuning cache in that folder; empty with it.
[[nodiscard]] std::filesystem::path tuning_cache_file();

}  // namespace convoy
