// The lines of a log as its program printed them, whatever became of them on the way: a terminal, a launcher that tags
// them, a report they were pasted into.
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
  std::size_t number = 0;            // in the file, from 1; several may share one, see below
  std::string text;                  // blanks are single, none at its ends
  std::optional<std::int64_t> rank;  // that printed it, where a launcher says so: "[1,3]<stdout>:"
};

// Markdown's quotes, bullets, code marks and escapes (`\*`, `\[`) are taken off, and so are colours and tags of a
// launcher. What a carriage return or backspaces separate are lines of their own, with one number. Empty ones are left
// out.
[[nodiscard]] std::vector<LogLine> log_lines(std::string_view text);

// The regular expressions of the standard library need stack for each character: longer lines are not looked at.
inline constexpr std::size_t kLongestLine = 1000;

// Whether all of the text is as the pattern says.
[[nodiscard]] bool matches(const std::string& text, const std::regex& pattern, std::smatch& parts);

// Whether it is a heading of Markdown.
[[nodiscard]] bool is_heading(const LogLine& line);

// The number that is the whole text, with nan and inf; nothing for anything else.
[[nodiscard]] std::optional<double> number_in(const std::string& text);

}  // namespace convoy::study
