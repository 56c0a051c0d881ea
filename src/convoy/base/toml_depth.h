// Whether TOML text is nested deeper than any real file. The parser frees tables by recursion, so that a key of 100,000
// parts would overflow the stack.
#pragma once

#include <optional>
#include <string_view>

namespace convoy {

// Dotted parts of a key, and brackets within brackets.
inline constexpr int kDeepestToml = 32;

// The number of the first line that is deeper; nothing when none is. Strings and comments do not count. The text need
// not be valid.
[[nodiscard]] std::optional<int> line_too_deep(std::string_view text);

}  // namespace convoy
