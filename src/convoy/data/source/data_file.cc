#include "convoy/data/source/data_file.h"

#include <algorithm>
#include <vector>

#include "convoy/base/error.h"

namespace convoy::data {

namespace fs = std::filesystem;

namespace {

std::vector<fs::path> places(const fs::path& folder) {
  std::vector<fs::path> found;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    if (entry.is_directory(ignored)) found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end());
  found.insert(found.begin(), folder);
  return found;
}

std::vector<std::string> spellings(const std::string& name) {
  std::vector<std::string> found{name};
  if (const auto dash = name.find("-idx"); dash != std::string::npos) {
    found.push_back(name);
    found.back()[dash] = '.';
  }
  return found;
}

}  // namespace

std::optional<fs::path> find_data_file(const fs::path& folder, const std::string& name) {
  std::error_code ignored;
  for (const fs::path& place : places(folder)) {
    for (const std::string& spelling : spellings(name)) {
      for (const char* const ending : {"", ".gz"}) {
        if (const fs::path path = place / (spelling + ending); fs::is_regular_file(path, ignored)) return path;
      }
    }
  }
  return std::nullopt;
}

fs::path require_data_file(const fs::path& folder, const std::string& name) {
  if (auto path = find_data_file(folder, name)) return *path;
  throw DataError("{}: there is no file {} or {}.gz", folder.string(), name, name);
}

}  // namespace convoy::data
