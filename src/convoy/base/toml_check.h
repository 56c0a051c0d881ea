// What TOML text must not have, looked for before the parser sees it. The parser frees tables by recursion, so that a
// key of 100,000 parts would overflow the stack. It takes for granted that a bracket closes the one that was opened
// last, and that it knows all letters of a bare key.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace convoy {

// Dotted parts of a key, and brackets within brackets.
inline constexpr int kDeepestToml = 32;

// The number of the first line that is deeper; nothing when none is. Strings and comments do not count. The text need
// not be valid.
[[nodiscard]] std::optional<int> line_too_deep(std::string_view text);

// The same for a bracket that closes another kind than was opened last, or nothing.
[[nodiscard]] std::optional<int> line_with_stray_bracket(std::string_view text);

// The same for a letter outside of strings and comments that is not ASCII.
[[nodiscard]] std::optional<int> line_with_foreign_letter(std::string_view text);

// Throws UserError with file and line for all three.
void check_toml(std::string_view text, const std::string& file);

}  // namespace convoy
