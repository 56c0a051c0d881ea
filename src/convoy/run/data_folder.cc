#include "convoy/run/data_folder.h"

#include <cstdlib>

namespace convoy {

std::filesystem::path default_data_folder() {
  if (const char* const base = std::getenv("XDG_DATA_HOME"); base != nullptr && *base != '\0') {
    return std::filesystem::path(base) / "convoy";
  }
  if (const char* const home = std::getenv("HOME"); home != nullptr && *home != '\0') {
    return std::filesystem::path(home) / ".local" / "share" / "convoy";
  }
  return "convoy-data";
}

}  // namespace convoy
