// Checks that text is TOML before the parser sees it. The parser of Debian's toml++ has undefined behaviour on text
// that is not TOML, and it frees tables by recursion, so that a key of 100,000 parts would overflow the stack. So it
// only gets valid text; all that is left for it to refuse is a key that appears twice.
#pragma once

#include <string>
#include <string_view>

namespace convoy {

// The largest number of dotted parts of a key, and of brackets inside brackets.
inline constexpr int kDeepestToml = 32;

// Throws UserError with file and line for text that is not TOML 1.0, for text nested deeper than kDeepestToml, and for
// dates, which no file of Convoy uses.
void check_toml(std::string_view text, const std::string& file);

}  // namespace convoy
