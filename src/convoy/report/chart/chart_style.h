// How charts look: their colours, light and dark, the rules that give them to the classes of a picture's elements, and
// how series are told apart.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace convoy::report {

// Steps from pale to deep of a heat map (classes h0, h1, ...), and the first that wants pale text.
inline constexpr std::size_t kShades = 9;
inline constexpr std::size_t kFirstDeepShade = 6;

// Custom properties ("--ink:#1c2430;...") for a rule of the page.
[[nodiscard]] std::string light_colours();
[[nodiscard]] std::string dark_colours();

// Rules for elements inside of .chart, on top of those properties.
[[nodiscard]] std::string chart_style();

// The same for a file of its own, with the colours in place: not all viewers of SVG know custom properties.
[[nodiscard]] std::string standalone_chart_style();

// How series are told apart: by colour, and without it by the shape of their marks or the hatching of their bars.
// Series have numbers from 0. Shapes and colours repeat after different counts, so that pairs of them do late.
inline constexpr std::size_t kColours = 8;
inline constexpr std::size_t kShapes = 7;

[[nodiscard]] std::string line_class(std::size_t series);
[[nodiscard]] std::string fill_class(std::size_t series);

// A path around the origin, about nine units wide.
[[nodiscard]] std::string_view mark_path(std::size_t series);

// A mark, filled or hollow.
[[nodiscard]] std::string mark_classes(std::size_t series, bool hollow);

// "url(#...)" of the pattern to be laid over the bars of a series; empty for the first, which are plain.
[[nodiscard]] std::string hatch(std::string_view id, std::size_t series);

// The patterns that hatch() names for `count` series, as <defs>.
[[nodiscard]] std::string hatch_definitions(std::string_view id, std::size_t count);

// The pattern of what is missing, and its definition.
[[nodiscard]] std::string missing_hatch(std::string_view id);
[[nodiscard]] std::string missing_hatch_definition(std::string_view id);

}  // namespace convoy::report
