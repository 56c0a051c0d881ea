// What users may have meant by the name of a flag or setting that there is not.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace convoy {

// Those of `known` that `word` may stand for: as other programs call them, or the one nearest in spelling. Mostly one;
// none rather than something far off. Names have no dashes in front; those of `word` do not matter, nor does '_' for
// '-'.
[[nodiscard]] std::vector<std::string> names_meant(const std::string& word, std::span<const std::string> known);

}  // namespace convoy
