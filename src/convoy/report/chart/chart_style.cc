#include "convoy/report/chart/chart_style.h"

#include <fmt/format.h>

#include <array>
#include <string_view>

#include "convoy/base/check.h"
#include "convoy/report/chart/series_style.h"

namespace convoy::report {
namespace {

struct Colour {
  std::string_view name;
  std::string_view light;
  std::string_view dark;
};

// Series: hues that people who confuse red and green, or blue and yellow, can tell apart (after Okabe and Ito), made
// darker or lighter until they stand out from the background by 3:1. Shades: one hue, lightness alone says how much.
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

}  // namespace convoy::report
