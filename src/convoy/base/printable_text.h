// Makes text from outside (names of files and folders, cells, metadata of weights) safe to show on a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace convoy {

// Characters that would move the cursor, change colours or reorder the line become escapes: "\x1b", "\n", "\u202e".
// Bytes that are not UTF-8 become "\xff". All other UTF-8 stays as it is.
[[nodiscard]] std::string printable_text(std::string_view text);

// The same for text of several lines: line breaks and tabs stay.
[[nodiscard]] std::string printable_lines(std::string_view text);

// Quoted text longer than this many bytes is cut.
inline constexpr std::size_t kLongestQuote = 200;

// Printable, and cut to about kLongestQuote bytes: "aaaa... (10,485,760 bytes)".
[[nodiscard]] std::string quoted_text(std::string_view text);

// A message for the terminal: printable lines. If it is longer than anyone would read, its middle is left out.
[[nodiscard]] std::string message_text(std::string_view text);

}  // namespace convoy
