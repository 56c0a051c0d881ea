// Whether text is TOML, asked before the parser sees it. The parser of Debian's toml++ has undefined behaviour on text
// that is none, and frees tables by recursion, so that a key of 100,000 parts would overflow the stack: it is given
// text that is right, and what is left for it to refuse is a key that is there twice.
#pragma once

#include <string>
#include <string_view>

namespace convoy {

// Dotted parts of a key, and brackets within brackets.
inline constexpr int kDeepestToml = 32;

// Throws UserError with file and line for what is not TOML 1.0, for what is nested deeper than that, and for dates,
// which no file of Convoy's has.
void check_toml(std::string_view text, const std::string& file);

}  // namespace convoy
