// How much room text takes in a chart. The reader's font is not known, so this is a rather wide estimate.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace convoy::report {

inline constexpr double kFontSize = 13;

// In units of the picture, at kFontSize.
[[nodiscard]] double text_width(std::string_view text);

// The text, or as much of its beginning as fits into `width` together with an ellipsis.
[[nodiscard]] std::string shortened(std::string_view text, double width);

// Removes from names that consist of parts ("batch 64, lr 0.1") the parts that are the same in all of them. Names with
// different numbers of parts, or with nothing in common, are not changed.
[[nodiscard]] std::vector<std::string> told_apart(const std::vector<std::string>& names);

// Lines of whole words that fit into `width`; a word that is longer than that is shortened.
[[nodiscard]] std::vector<std::string> wrapped(std::string_view text, double width);

}  // namespace convoy::report
