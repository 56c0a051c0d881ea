#include "convoy/report/chart/chart_style.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "convoy/base/check.h"

namespace convoy::report {
namespace {

struct Colour {
  std::string_view name;
  std::string_view light;
  std::string_view dark;
};

// Colours of series: hues that people who confuse red and green, or blue and yellow, can distinguish (after Okabe and
// Ito), made darker or lighter until their contrast with the background is 3:1. Shades: a single hue, in which only
// lightness shows how much.
constexpr std::array kChartColours = {
    Colour{"paper", "#ffffff", "#12161c"},   Colour{"ink", "#1b2430", "#e6eaf0"},
    Colour{"muted", "#5a6675", "#9aa7b7"},   Colour{"grid", "#e3e8ee", "#28313c"},
    Colour{"axis", "#8b97a6", "#657282"},    Colour{"c0", "#0072b2", "#4ba6e6"},
    Colour{"c1", "#d55e00", "#ff8b3d"},      Colour{"c2", "#00916a", "#2fc79b"},
    Colour{"c3", "#b0558d", "#e59ac6"},      Colour{"c4", "#b97d00", "#f0bd42"},
    Colour{"c5", "#3a94cb", "#93d2f8"},      Colour{"c6", "#5b6470", "#b4bcc6"},
    Colour{"c7", "#7b4b1e", "#c99a6b"},      Colour{"h0", "#edf3f9", "#17222d"},
    Colour{"h1", "#d9e6f2", "#1b2f40"},      Colour{"h2", "#c0d6ea", "#1f3c55"},
    Colour{"h3", "#a3c3e0", "#234a6b"},      Colour{"h4", "#82add3", "#285a84"},
    Colour{"h5", "#6199c8", "#2f6899"},      Colour{"h6", "#3573ab", "#5b9bd0"},
    Colour{"h7", "#1f5a92", "#86bce8"},      Colour{"h8", "#0c427a", "#b5dbf8"},
    Colour{"on-pale", "#1b2430", "#e6eaf0"}, Colour{"on-deep", "#ffffff", "#0c1218"},
};

constexpr std::string_view kFixedRules =
    ".chart text{font-size:13px;fill:var(--ink);font-variant-numeric:tabular-nums}"
    ".chart .tick,.chart .note,.chart .axis-title{fill:var(--muted)}"
    ".chart .note{font-style:italic}"
    ".chart .value{font-size:12px}"
    ".chart .grid{stroke:var(--grid);stroke-width:1}"
    ".chart .axis{stroke:var(--axis);stroke-width:1}"
    ".chart .line{fill:none;stroke-width:2;stroke-linejoin:round;stroke-linecap:round}"
    ".chart .thin{stroke-width:1.4}"
    ".chart .dashed{stroke-width:1.6;stroke-dasharray:6 4;stroke-linecap:butt}"
    ".chart .whisker{fill:none;stroke-width:1.4}"
    ".chart .band{fill-opacity:.18}"
    ".chart .mark{stroke:var(--paper);stroke-width:1;paint-order:stroke}"
    ".chart .hollow{fill:var(--paper);stroke-width:1.8;paint-order:normal}"
    ".chart .hollow-bar{fill:var(--paper);stroke-width:1.8;stroke-dasharray:4 2}"
    ".chart .hatch{fill:none;stroke:var(--paper);stroke-opacity:.55;stroke-width:1.5}"
    ".chart .dots{stroke-width:2.6;stroke-linecap:round;stroke-opacity:.75}"
    ".chart .missing{fill:none;stroke:var(--axis);stroke-opacity:.6;stroke-width:1}"
    ".chart .plate{fill:var(--paper);fill-opacity:.86}"
    ".chart .cell{stroke:var(--paper);stroke-width:1.5}"
    ".chart .best{fill:none;stroke:var(--c1);stroke-width:2.5}"
    ".chart .empty{fill:none;stroke:var(--axis);stroke-dasharray:5 4}"
    ".chart .on-pale{fill:var(--on-pale)}"
    ".chart .on-deep{fill:var(--on-deep)}"
    ".chart .background{fill:var(--paper)}"
    ".chart .title{font-size:16px;font-weight:600}"
    ".chart .neutral{stroke:var(--muted)}"
    ".chart .ink{stroke:var(--ink)}";

std::string colours(std::string_view Colour::*mode) {
  std::string properties;
  for (const Colour& colour : kChartColours) properties += fmt::format("--{}:{};", colour.name, colour.*mode);
  return properties;
}

std::string_view colour_named(std::string_view name, std::string_view Colour::*mode) {
  for (const Colour& colour : kChartColours) {
    if (colour.name == name) return colour.*mode;
  }
  CONVOY_CHECK(false);
  return {};
}

std::string with_colours_in_place(std::string rules, std::string_view Colour::*mode) {
  constexpr std::string_view kOpen = "var(--";
  for (std::size_t at = rules.find(kOpen); at != std::string::npos; at = rules.find(kOpen, at)) {
    const std::size_t name = at + kOpen.size();
    const std::size_t end = rules.find(')', name);
    rules.replace(at, end + 1 - at, colour_named(rules.substr(name, end - name), mode));
  }
  return rules;
}

}  // namespace

std::string light_colours() { return colours(&Colour::light); }

std::string dark_colours() { return colours(&Colour::dark); }

std::string chart_style() {
  std::string rules(kFixedRules);
  for (std::size_t i = 0; i < kColours; ++i) {
    rules += fmt::format(".chart .l{0}{{stroke:var(--c{0})}}.chart .f{0}{{fill:var(--c{0})}}", i);
  }
  for (std::size_t i = 0; i < kShades; ++i) rules += fmt::format(".chart .h{0}{{fill:var(--h{0})}}", i);
  return rules;
}

std::string standalone_chart_style() {
  return fmt::format(
      ".chart{{font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif}}{}"
      "@media screen and (prefers-color-scheme:dark){{{}}}",
      with_colours_in_place(chart_style(), &Colour::light), with_colours_in_place(chart_style(), &Colour::dark));
}

namespace {

constexpr std::array<std::string_view, kShapes> kMarkPaths = {
    "M-4.2 0a4.2 4.2 0 1 0 8.4 0a4.2 4.2 0 1 0 -8.4 0Z",                                     // circle
    "M-3.8 -3.8H3.8V3.8H-3.8Z",                                                              // square
    "M0 -5L4.8 3.6H-4.8Z",                                                                   // triangle
    "M0 -5.4L5 0L0 5.4L-5 0Z",                                                               // diamond
    "M0 5L4.8 -3.6H-4.8Z",                                                                   // triangle pointing down
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

std::string_view mark_path(std::size_t series) { return kMarkPaths[series % kShapes]; }

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
