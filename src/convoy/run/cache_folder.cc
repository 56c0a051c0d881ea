#include "convoy/run/cache_folder.h"

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

}  // namespace convoy
