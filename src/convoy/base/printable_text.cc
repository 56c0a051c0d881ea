#include "convoy/base/printable_text.h"

#include <fmt/format.h>

#include "convoy/base/number_text.h"
#include "convoy/base/utf8.h"

namespace convoy {
namespace {

bool is_line_layout(char32_t code) { return code == '\n' || code == '\t'; }

bool is_control(char32_t code) { return code < 0x20 || (code >= 0x7F && code < 0xA0); }

// Unicode's line separators, and the marks that change the direction of the text after them.
bool reorders(char32_t code) { return (code >= 0x2028 && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069); }

std::string escape_of(char32_t code) {
  if (code == '\n') return "\\n";
  if (code == '\t') return "\\t";
  if (code == '\r') return "\\r";
  const auto number = static_cast<unsigned>(code);
  return number < 0x80 ? fmt::format("\\x{:02x}", number) : fmt::format("\\u{:04x}", number);
}

std::string escaped(std::string_view text, bool keeps_lines) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const Character first = first_character(text);
    if (!first.valid) {
      result += fmt::format("\\x{:02x}", static_cast<unsigned>(static_cast<unsigned char>(text.front())));
    } else if ((is_control(first.code) || reorders(first.code)) && !(keeps_lines && is_line_layout(first.code))) {
      result += escape_of(first.code);
    } else {
      result += text.substr(0, first.bytes);
    }
    text.remove_prefix(first.bytes);
  }
  return result;
}

// The first `bytes` bytes of the text, or fewer so that no character is cut in half.
std::string_view beginning(std::string_view text, std::size_t bytes) {
  if (text.size() <= bytes) return text;
  while (bytes > 0 && continues_character(text[bytes])) --bytes;
  return text.substr(0, bytes);
}

std::string_view end_of(std::string_view text, std::size_t bytes) {
  std::size_t at = text.size() - bytes;
  while (at < text.size() && continues_character(text[at])) ++at;
  return text.substr(at);
}

}  // namespace

std::string printable_text(std::string_view text) { return escaped(text, false); }

std::string printable_lines(std::string_view text) { return escaped(text, true); }

std::string quoted_text(std::string_view text) {
  if (text.size() <= kLongestQuote) return printable_text(text);
  return fmt::format("{}... ({} bytes)", printable_text(beginning(text, kLongestQuote)),
                     grouped_text(static_cast<std::int64_t>(text.size())));
}

std::string message_text(std::string_view text) {
  constexpr std::size_t kLongest = 8000;  // a few screens: mpirun's own words may be long
  constexpr std::size_t kEnd = 1000;
  if (text.size() <= kLongest) return printable_lines(text);
  const std::string_view first = beginning(text, kLongest - kEnd);
  const std::string_view last = end_of(text, kEnd);
  const std::size_t left_out = text.size() - first.size() - last.size();
  return fmt::format("{}... ({} bytes left out) ...{}", printable_lines(first),
                     grouped_text(static_cast<std::int64_t>(left_out)), printable_lines(last));
}

}  // namespace convoy
