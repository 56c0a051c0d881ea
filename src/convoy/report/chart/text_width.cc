#include "convoy/report/chart/text_width.h"

#include <sstream>

#include "convoy/base/utf8.h"

namespace convoy::report {
namespace {

constexpr std::string_view kEllipsis = "…";

// In parts of the font size, between those of the narrower and the wider sans-serif fonts in use.
double em_width(char32_t code) {
  constexpr std::string_view kNarrow = "ijlftrI.,:;'|!()[]{}/ -";
  constexpr std::string_view kWide = "mwMW@%";
  if (code >= 0x2E80) return 1.0;
  if (code >= 0x80) return 0.65;
  const char c = static_cast<char>(code);
  if (kNarrow.find(c) != std::string_view::npos) return 0.38;
  if (kWide.find(c) != std::string_view::npos) return 0.92;
  if (c >= '0' && c <= '9') return 0.64;
  return c >= 'A' && c <= 'Z' ? 0.68 : 0.6;
}

}  // namespace

double text_width(std::string_view text) {
  double ems = 0;
  while (!text.empty()) {
    const Character character = first_character(text);
    ems += em_width(character.valid ? character.code : U'\uFFFD');
    text.remove_prefix(character.bytes);
  }
  return ems * kFontSize;
}

std::string shortened(std::string_view text, double width) {
  if (text_width(text) <= width) return std::string(text);
  double room = width - text_width(kEllipsis);
  std::size_t kept = 0;
  while (kept < text.size()) {
    const std::size_t bytes = first_character(text.substr(kept)).bytes;
    room -= text_width(text.substr(kept, bytes));
    if (room < 0) break;
    kept += bytes;
  }
  return std::string(text.substr(0, kept)).append(kEllipsis);
}

std::vector<std::string> wrapped(std::string_view text, double width) {
  std::vector<std::string> lines;
  std::istringstream words{std::string(text)};
  for (std::string word; words >> word;) {
    const bool fits = !lines.empty() && text_width(lines.back()) + text_width(" ") + text_width(word) <= width;
    if (fits) {
      lines.back() += ' ' + word;
    } else {
      lines.push_back(shortened(word, width));
    }
  }
  return lines;
}

}  // namespace convoy::report
