// How much room text takes in a chart. Nobody knows the reader's font, so this is an estimate on the wide side.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace convoy::report {

inline constexpr double kFontSize = 13;

// In user units, at kFontSize.
[[nodiscard]] double text_width(std::string_view text);

// The text, or as much of its beginning as fits into `width` together with an ellipsis.
[[nodiscard]] std::string shortened(std::string_view text, double width);

// Names made of parts ("batch 64, lr 0.1") without the parts that are the same in all: what is left tells them apart.
// Names of different numbers of parts, or with nothing in common, stay as they are.
[[nodiscard]] std::vector<std::string> told_apart(const std::vector<std::string>& names);

// Lines of whole words that fit into `width`; a word that is longer is shortened.
[[nodiscard]] std::vector<std::string> wrapped(std::string_view text, double width);

}  // namespace convoy::report
