// Characters of UTF-8 text, and how many there are.
#pragma once

#include <cstddef>
#include <string_view>

namespace convoy {

struct Character {
  char32_t code = 0;
  std::size_t bytes = 1;
  bool valid = false;  // false: this is a single byte that belongs to no character
};

// The first character of `text`, which is not empty.
[[nodiscard]] Character first_character(std::string_view text);

// Whether a byte is a continuation byte of a character.
[[nodiscard]] inline bool continues_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; }

// How many characters the text has; each takes one column on a terminal or in a fixed-width font. A byte that belongs
// to no character counts as one, unless it looks like a continuation byte.
[[nodiscard]] std::size_t character_count(std::string_view text);

// Whether the whole text is valid UTF-8, as JSON demands.
[[nodiscard]] bool is_utf8(std::string_view text);

}  // namespace convoy
