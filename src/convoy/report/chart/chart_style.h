// The colours of charts, light and dark, and the rules that give them to the classes of a picture's elements.
#pragma once

#include <cstddef>
#include <string>

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

}  // namespace convoy::report
