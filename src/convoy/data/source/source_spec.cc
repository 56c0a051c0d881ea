#include "convoy/data/source/source_spec.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>

#include "convoy/base/error.h"
#include "convoy/base/nearest.h"
#include "convoy/data/install/dataset_catalog.h"
#include "convoy/data/source/data_file.h"

namespace convoy::data {
namespace {

struct Known {
  const char* name;
  SourceKind kind;
  bool is_dataset;  // it can be installed in the data folder
};

constexpr std::array kKnown{
    Known{"mnist", SourceKind::mnist, true},
    Known{"fashion-mnist", SourceKind::fashion_mnist, true},
    Known{"cifar10", SourceKind::cifar10, true},
    Known{"cifar100", SourceKind::cifar100, true},
    Known{"tiny-imagenet", SourceKind::tiny_imagenet, true},
    Known{"folder", SourceKind::folder, false},
    Known{"pack", SourceKind::pack, false},
    Known{"synthetic", SourceKind::synthetic, false},
};

[[noreturn]] void refuse_name(const std::string& name) {
  const auto nearest = nearest_name(name, source_names());
  throw UserError("there is no data '{}'{}; known are {}, folder:PATH, pack:FILE and synthetic:CxHxW", name,
                  nearest ? fmt::format("; did you mean {}?", *nearest) : "", fmt::join(dataset_names(), ", "));
}

}  // namespace

SourceSpec parse_source_spec(std::string_view text) {
  const std::size_t colon = text.find(':');
  SourceSpec spec{.name = std::string(text.substr(0, colon)), .text = std::string(text)};
  if (colon != std::string_view::npos) spec.argument = std::string(text.substr(colon + 1));
  for (const Known& known : kKnown) {
    if (spec.name != known.name) continue;
    spec.kind = known.kind;
    if (!known.is_dataset && spec.argument.empty()) {
      throw UserError("'{}' needs something behind a colon: folder:PATH, pack:FILE or synthetic:3x32x32,count=1000",
                      text);
    }
    return spec;
  }
  refuse_name(spec.name);
}

std::vector<std::string> source_names() {
  std::vector<std::string> names;
  for (const Known& known : kKnown) {
    names.emplace_back(known.name);
  }
  return names;
}

std::vector<std::string> dataset_names() {
  std::vector<std::string> names;
  for (const Known& known : kKnown) {
    if (known.is_dataset) names.emplace_back(known.name);
  }
  return names;
}

namespace fs = std::filesystem;

namespace {

bool has_layout(const fs::path& folder, const Dataset& dataset) {
  const std::string& known = dataset.contents.empty() ? dataset.marker : dataset.contents.back().name;
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
