#include "convoy/study/log/log_text.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>

namespace convoy::study {
namespace {

constexpr std::string_view kEscapable = "\\`*_{}[]()<>#+-.!|~$%&=:;\"'/";

// Removes escape sequences such as "\x1b[1m".
std::string without_colours(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\x1b' || i + 1 >= text.size() || text[i + 1] != '[') {
      plain += text[i];
      continue;
    }
    i += 2;
    while (i < text.size() && std::isalpha(static_cast<unsigned char>(text[i])) == 0) ++i;
  }
  return plain;
}

std::string without_escapes(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool escapes =
        text[i] == '\\' && i + 1 < text.size() && kEscapable.find(text[i + 1]) != std::string_view::npos;
    plain += escapes ? text[++i] : text[i];
  }
  return plain;
}

// How many bytes the blank at the front has, including Unicode's; 0 if there is none.
std::size_t blank_size(std::string_view text) {
  for (const std::string_view blank : {" ", "\t", "\u00A0", "\u2009", "\u202F"}) {
    if (text.starts_with(blank)) return blank.size();
  }
  return 0;
}

// Replaces each group of blanks by a single one and removes those at the ends.
std::string with_single_blanks(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t blank = blank_size(text);
    if (blank == 0) {
      result += text.front();
    } else if (!result.empty() && result.back() != ' ') {
      result += ' ';
    }
    text.remove_prefix(std::max<std::size_t>(blank, 1));
  }
  if (result.ends_with(' ')) result.pop_back();
  return result;
}

// Removes Markdown around a line. A bullet counts only before a blank.
std::string_view without_marks(std::string_view text) {
  constexpr std::string_view kBreak = "<br>";
  constexpr std::string_view kBullets = ">*-+";
  while (text.size() > 1 && text[1] == ' ' && kBullets.find(text.front()) != std::string_view::npos)
    text.remove_prefix(2);
  if (text == ">") return "";
  while (text.starts_with('`')) text.remove_prefix(1);
  while (text.ends_with('`')) text.remove_suffix(1);
  if (text.ends_with(kBreak)) text.remove_suffix(kBreak.size());
  return text;
}

// Removes "[1,3]<stdout>:" of mpirun or "[3]<stderr>:" of horovodrun and returns the rank.
std::optional<std::int64_t> take_tag(std::string& text) {
  if (!text.starts_with('[')) return std::nullopt;
  const std::size_t close = text.find(']');
  const std::size_t end = text.find(">:");
  if (close == std::string::npos || end == std::string::npos || end > 30) return std::nullopt;
  const std::string stream = text.substr(close + 1, end - close);
  if (stream != "<stdout>" && stream != "<stderr>") return std::nullopt;
  const std::size_t comma = std::min(text.find(','), close);
  const std::string rank = comma < close ? text.substr(comma + 1, close - comma - 1) : text.substr(1, close - 1);
  const auto value = number_in(rank);
  text.erase(0, end + 2);
  while (text.starts_with(' ')) text.erase(0, 1);
  return value && *value >= 0 && *value < 1e9 ? std::optional(static_cast<std::int64_t>(*value)) : std::nullopt;
}

void add_line(std::size_t number, std::string_view raw, std::vector<LogLine>& lines) {
  const std::string plain = with_single_blanks(without_colours(raw));
  LogLine line{.number = number, .text = without_escapes(without_marks(plain)), .rank = {}};
  line.rank = take_tag(line.text);
  if (!line.text.empty()) lines.push_back(std::move(line));
}

}  // namespace

std::vector<LogLine> log_lines(std::string_view text) {
  std::vector<LogLine> lines;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view raw = text.substr(0, end);
    while (!raw.empty()) {
      const std::size_t stop = std::min(raw.find_first_of("\r\b"), raw.size());
      add_line(number, raw.substr(0, stop), lines);
      raw.remove_prefix(std::min(stop + 1, raw.size()));
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

bool matches(const std::string& text, const std::regex& pattern, std::smatch& parts) {
  return text.size() <= kLongestLine && std::regex_match(text, parts, pattern);
}

bool is_heading(const LogLine& line) {
  const std::size_t marks = line.text.find_first_not_of('#');
  return marks != std::string::npos && marks > 0 && marks <= 6 && line.text[marks] == ' ';
}

std::optional<double> number_in(const std::string& text) {
  if (text.empty() || text.front() == ' ') return std::nullopt;
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  return end == text.c_str() + text.size() ? std::optional(value) : std::nullopt;
}

}  // namespace convoy::study
