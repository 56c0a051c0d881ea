// Text from outside (names of files and folders, cells, metadata of weights) as a terminal may show it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace convoy {

// What would move the cursor, change colours or reorder the line is written as an escape: "\x1b", "\n", "\u202e", and
// bytes that are no UTF-8 as "\xff". Other UTF-8 stays as it is.
[[nodiscard]] std::string printable_text(std::string_view text);

// The same of several lines: line breaks and tabs stay.
[[nodiscard]] std::string printable_lines(std::string_view text);

// Longer ones are cut when they are quoted.
inline constexpr std::size_t kLongestQuote = 200;

// Printable, and no longer than about kLongestQuote bytes: "aaaa... (10,485,760 bytes)".
[[nodiscard]] std::string quoted_text(std::string_view text);

// A message for the terminal: printable lines, and where it is longer than anyone reads its middle is left out.
[[nodiscard]] std::string message_text(std::string_view text);

}  // namespace convoy
