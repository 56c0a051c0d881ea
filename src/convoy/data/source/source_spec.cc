#include "convoy/data/source/source_spec.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <utility>

#include "convoy/base/error.h"
#include "convoy/base/nearest.h"

namespace convoy::data {

namespace {

struct Known {
  const char* name;
  SourceKind kind;
  bool is_dataset;  // has a place of its own in the data folder
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

}  // namespace convoy::data
