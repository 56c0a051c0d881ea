// The lines of a log as its program printed them, whatever happened to them on the way: a terminal, a launcher that
// tags them, a report into which they were pasted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

namespace convoy::study {

struct LogLine {
  std::size_t number = 0;            // in the file, from 1; several lines may have the same one, see below
  std::string text;                  // with single blanks and none at its ends
  std::optional<std::int64_t> rank;  // the one that printed it, if a launcher says so: "[1,3]<stdout>:"
};

// Removes Markdown's quotes, bullets, code marks and escapes (`\*`, `\[`), colours, and tags of a launcher. Parts that
// a carriage return or backspaces separate become separate lines with the same number. Empty lines are left out.
[[nodiscard]] std::vector<LogLine> log_lines(std::string_view text);

// Longer lines are ignored: the regular expressions of the standard library need stack for each character.
inline constexpr std::size_t kLongestLine = 1000;

// Whether the pattern matches the whole text.
[[nodiscard]] bool matches(const std::string& text, const std::regex& pattern, std::smatch& parts);

// Whether it is a Markdown heading.
[[nodiscard]] bool is_heading(const LogLine& line);

// The number, if it is the whole text; nan and inf count. Otherwise no value.
[[nodiscard]] std::optional<double> number_in(const std::string& text);

}  // namespace convoy::study
