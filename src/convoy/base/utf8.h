// Characters of UTF-8 text, and how many there are.
#pragma once

#include <cstddef>
#include <string_view>

namespace convoy {

struct Character {
  char32_t code = 0;
  std::size_t bytes = 1;
  bool valid = false;  // false: one byte that belongs to no character
};

// The character that `text` begins with; text is not empty.
[[nodiscard]] Character first_character(std::string_view text);

// Whether a byte belongs to the character that an earlier byte began.
[[nodiscard]] inline bool continues_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; }

// How many characters there are, each of which takes one column in a terminal or in a fixed-width font. Bytes that
// belong to no character count as one each, unless they look like the continuation of one.
[[nodiscard]] std::size_t character_count(std::string_view text);

// Whether all of it is UTF-8, as JSON demands.
[[nodiscard]] bool is_utf8(std::string_view text);

}  // namespace convoy
