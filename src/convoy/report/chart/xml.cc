#include "convoy/report/chart/xml.h"

#include "convoy/base/utf8.h"

namespace convoy::report {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

bool is_xml(const Character& character) {
  const char32_t code = character.code;
  if (!character.valid || code == 0xFFFE || code == 0xFFFF) return false;
  return code >= 0x20 ? code != 0x7F : code == '\t' || code == '\n' || code == '\r';
}

std::string_view escape_of(char32_t code) {
  switch (code) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    case '\'':
      return "&#39;";
    default:
      return {};
  }
}

}  // namespace

std::string escape_xml(std::string_view text) {
  std::string escaped;
  escaped.reserve(text.size());
  while (!text.empty()) {
    const Character character = first_character(text);
    const std::string_view escape = escape_of(character.code);
    if (!is_xml(character)) {
      escaped += kReplacement;
    } else {
      escaped += escape.empty() ? text.substr(0, character.bytes) : escape;
    }
    text.remove_prefix(character.bytes);
  }
  return escaped;
}

}  // namespace convoy::report
