#include "convoy/report/chart/series_style.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace convoy::report {
namespace {

constexpr std::array<std::string_view, kShapes> kMarks = {
    "M-4.2 0a4.2 4.2 0 1 0 8.4 0a4.2 4.2 0 1 0 -8.4 0Z",                                     // circle
    "M-3.8 -3.8H3.8V3.8H-3.8Z",                                                              // square
    "M0 -5L4.8 3.6H-4.8Z",                                                                   // triangle
    "M0 -5.4L5 0L0 5.4L-5 0Z",                                                               // diamond
    "M0 5L4.8 -3.6H-4.8Z",                                                                   // triangle on its tip
    "M-1.7 -5H1.7V-1.7H5V1.7H1.7V5H-1.7V1.7H-5V-1.7H-1.7Z",                                  // cross
    "M0 -6L1.5 -2.1L5.7 -1.9L2.4 0.8L3.5 4.9L0 2.6L-3.5 4.9L-2.4 0.8L-5.7 -1.9L-1.5 -2.1Z",  // star
};

// Tiles of 8 x 8 units.
constexpr std::array<std::string_view, kShapes> kHatches = {
    "",
    "M-1 9L9 -1M-1 1L1 -1M7 9L9 7",  // rising
    "M2 2h.01M6 6h.01",              // dots
    "M-1 -1L9 9M7 -1L9 1M-1 7L1 9",  // falling
    "M0 4H8",                        // horizontal
    "M4 0V8",                        // vertical
    "M0 4H8M4 0V8",                  // grid
};

std::string pattern(std::string_view name, std::string_view path, std::string_view classes) {
  return fmt::format(
      "<pattern id=\"{}\" width=\"8\" height=\"8\" patternUnits=\"userSpaceOnUse\"><path d=\"{}\" class=\"{}\"/>"
      "</pattern>",
      name, path, classes);
}

}  // namespace

std::string line_class(std::size_t series) { return fmt::format("l{}", series % kColours); }

std::string fill_class(std::size_t series) { return fmt::format("f{}", series % kColours); }

std::string_view mark_path(std::size_t series) { return kMarks[series % kShapes]; }

std::string mark_classes(std::size_t series, bool hollow) {
  return hollow ? "mark hollow " + line_class(series) : "mark " + fill_class(series);
}

std::string hatch(std::string_view id, std::size_t series) {
  const std::size_t kind = series % kShapes;
  return kind == 0 ? "" : fmt::format("url(#{}-hatch{})", id, kind);
}

std::string hatch_definitions(std::string_view id, std::size_t count) {
  std::string patterns;
  for (std::size_t kind = 1; kind < std::min(count, kShapes); ++kind) {
    patterns += pattern(fmt::format("{}-hatch{}", id, kind), kHatches[kind], kind == 2 ? "hatch dots" : "hatch");
  }
  return patterns.empty() ? "" : fmt::format("<defs>{}</defs>\n", patterns);
}

std::string missing_hatch(std::string_view id) { return fmt::format("url(#{}-missing)", id); }

std::string missing_hatch_definition(std::string_view id) {
  return fmt::format("<defs>{}</defs>\n", pattern(fmt::format("{}-missing", id), kHatches[1], "missing"));
}

}  // namespace convoy::report
