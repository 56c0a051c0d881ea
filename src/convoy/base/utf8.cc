#include "convoy/base/utf8.h"

#include <algorithm>
#include <array>

namespace convoy {
namespace {

// How many bytes a character with this lead byte has; 0 for a byte that cannot lead.
std::size_t announced_bytes(unsigned char lead) {
  if (lead < 0x80U) return 1;
  if (lead >= 0xC2U && lead < 0xE0U) return 2;
  if (lead >= 0xE0U && lead < 0xF0U) return 3;
  return lead >= 0xF0U && lead < 0xF5U ? 4 : 0;
}

bool is_allowed(char32_t code, std::size_t bytes) {
  // The smallest code that needs that many bytes. Longer spellings of a character are refused: they are a way around
  // filters.
  constexpr std::array<char32_t, 5> kSmallest = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xD800 && code < 0xE000;
  return code >= kSmallest[bytes] && code <= 0x10FFFF && !surrogate;
}

}  // namespace

Character first_character(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text.front());
  const std::size_t bytes = announced_bytes(lead);
  if (bytes == 0 || bytes > text.size()) return {};
  constexpr std::array<unsigned, 5> kLeadBits = {0, 0x7F, 0x1F, 0x0F, 0x07};
  char32_t code = lead & kLeadBits[bytes];
  for (const char c : text.substr(1, bytes - 1)) {
    if (!continues_character(c)) return {};
    code = (code << 6U) | (static_cast<unsigned char>(c) & 0x3FU);
  }
  return is_allowed(code, bytes) ? Character{.code = code, .bytes = bytes, .valid = true} : Character{};
}

std::size_t character_count(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, [](char byte) { return !continues_character(byte); }));
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const Character first = first_character(text);
    if (!first.valid) return false;
    text.remove_prefix(first.bytes);
  }
  return true;
}

}  // namespace convoy
