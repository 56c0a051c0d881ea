// Characters of UTF-8 text, one at a time.
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

// Whether all of it is UTF-8, as JSON demands.
[[nodiscard]] bool is_utf8(std::string_view text);

}  // namespace convoy
