#include "convoy/report/chart/text_width.h"

#include <algorithm>
#include <sstream>

#include "convoy/base/utf8.h"

namespace convoy::report {
namespace {

constexpr std::string_view kEllipsis = "…";

// Relative to the font size; between those of narrow and wide sans-serif fonts.
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

namespace {

std::vector<std::string> parts_of(const std::string& name) {
  constexpr std::string_view kBetween = ", ";
  std::vector<std::string> parts;
  std::size_t begin = 0;
  for (std::size_t end = name.find(kBetween); end != std::string::npos; end = name.find(kBetween, begin)) {
    parts.push_back(name.substr(begin, end - begin));
    begin = end + kBetween.size();
  }
  parts.push_back(name.substr(begin));
  return parts;
}

}  // namespace

std::vector<std::string> told_apart(const std::vector<std::string>& names) {
  std::vector<std::vector<std::string>> all;
  for (const std::string& name : names) all.push_back(parts_of(name));
  const auto as_many = [&](const auto& parts) { return parts.size() == all.front().size(); };
  if (names.size() < 2 || !std::ranges::all_of(all, as_many)) return names;
  std::vector<std::string> shorter(names.size());
  for (std::size_t part = 0; part < all.front().size(); ++part) {
    if (std::ranges::all_of(all, [&](const auto& parts) { return parts[part] == all.front()[part]; })) continue;
    for (std::size_t i = 0; i < all.size(); ++i) shorter[i] += (shorter[i].empty() ? "" : ", ") + all[i][part];
  }
  return shorter.front().empty() ? names : shorter;
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
