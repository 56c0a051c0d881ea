// Where Convoy keeps data sets.
#pragma once

#include <filesystem>

namespace convoy {

// $XDG_DATA_HOME/convoy, else ~/.local/share/convoy, else "convoy-data" in the current folder.
[[nodiscard]] std::filesystem::path default_data_folder();

}  // namespace convoy
