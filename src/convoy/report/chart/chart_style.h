// How charts look: their light and dark colours, the CSS rules that apply them to the classes of a picture's elements,
// and how series are distinguished.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace convoy::report {

// The number of steps from pale to deep in a heat map (classes h0, h1, ...), and the first one that needs pale text.
inline constexpr std::size_t kShades = 9;
inline constexpr std::size_t kFirstDeepShade = 6;

// CSS custom properties ("--ink:#1c2430;...") for a rule of the page.
[[nodiscard]] std::string light_colours();
[[nodiscard]] std::string dark_colours();

// CSS rules for elements inside .chart, which use those properties.
[[nodiscard]] std::string chart_style();

// The same for a separate file, with the colours inserted: not all SVG viewers know custom properties.
[[nodiscard]] std::string standalone_chart_style();

// Series are distinguished by colour and, without colour, by the shape of their marks or the hatching of their bars.
// They are numbered from 0. Shapes and colours repeat after different counts, so that their combinations repeat late.
inline constexpr std::size_t kColours = 8;
inline constexpr std::size_t kShapes = 7;

[[nodiscard]] std::string line_class(std::size_t series);
[[nodiscard]] std::string fill_class(std::size_t series);

// A path around the origin, about nine units wide.
[[nodiscard]] std::string_view mark_path(std::size_t series);

// The classes of a mark, filled or hollow.
[[nodiscard]] std::string mark_classes(std::size_t series, bool hollow);

// "url(#...)" of the pattern that is drawn over the bars of a series; empty for the first, whose bars are plain.
[[nodiscard]] std::string hatch(std::string_view id, std::size_t series);

// The patterns that hatch() refers to for `count` series, as <defs>.
[[nodiscard]] std::string hatch_definitions(std::string_view id, std::size_t count);

// The pattern for missing values, and its definition.
[[nodiscard]] std::string missing_hatch(std::string_view id);
[[nodiscard]] std::string missing_hatch_definition(std::string_view id);

}  // namespace convoy::report
