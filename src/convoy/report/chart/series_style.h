// How series are told apart: by colour, and without it by the shape of their marks or the hatching of their bars. The
// colours behind the classes are in chart_style.h.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace convoy::report {

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
