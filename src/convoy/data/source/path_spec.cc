#include "convoy/data/source/path_spec.h"

#include <algorithm>

#include "convoy/base/error.h"
#include "convoy/data/install/dataset_catalog.h"
#include "convoy/data/source/data_file.h"

namespace convoy::data {

namespace fs = std::filesystem;

namespace {

bool has_layout(const fs::path& folder, const Dataset& dataset) {
  const std::string& known = dataset.contents.empty() ? dataset.marker : dataset.contents.back();
  return find_data_file(folder, known).has_value();
}

std::string name_of_layout(const fs::path& folder) {
  for (const Dataset& dataset : dataset_catalog()) {
    if (!has_layout(folder, dataset)) continue;
    const bool fashion = dataset.name == "mnist" && folder.string().find("fashion") != std::string::npos;
    return fashion ? "fashion-mnist" : dataset.name;
  }
  return "folder";
}

}  // namespace

std::optional<std::string> spec_of_path(const fs::path& path) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) return name_of_layout(path) + ":" + path.string();
  if (fs::exists(path, ignored)) return "pack:" + path.string();
  return std::nullopt;
}

SourceSpec find_source(const std::string& written) {
  const std::string name = written.substr(0, written.find(':'));
  if (std::ranges::count(source_names(), name) > 0) return parse_source_spec(written);
  if (const auto spec = spec_of_path(written)) return parse_source_spec(*spec);
  if (written.find('/') != std::string::npos) throw DataError("{}: there is no such file or folder", written);
  return parse_source_spec(written);
}

}  // namespace convoy::data
