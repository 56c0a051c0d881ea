#include "convoy/run/user_folders.h"

#include <cstdlib>
#include <string>

namespace convoy {
namespace {

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

std::filesystem::path cache_folder() {
  if (const std::string base = variable("XDG_CACHE_HOME"); !base.empty()) {
    return std::filesystem::path(base) / "convoy";
  }
  if (const std::string home = variable("HOME"); !home.empty()) {
    return std::filesystem::path(home) / ".cache" / "convoy";
  }
  return {};
}

std::filesystem::path tuning_cache_file() {
  const auto folder = cache_folder();
  return folder.empty() ? folder : folder / "tuning.json";
}

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
