// Finds out which setting a user may have meant by a name that does not exist.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace convoy {

// Those of `known` that `word` may stand for: by the names that other programs use, or the one nearest in spelling.
// Usually one; none rather than one that is far off. `known` has no leading dashes; those of `word` are ignored, and
// '_' counts as '-'.
[[nodiscard]] std::vector<std::string> names_meant(const std::string& word, std::span<const std::string> known);

}  // namespace convoy
