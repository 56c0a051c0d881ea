// "Did you mean": the known name nearest to a misspelt one.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace convoy {

// The fewest insertions, deletions, replacements and swaps of neighbours that turn one text into the other (the
// restricted Damerau-Levenshtein distance).
[[nodiscard]] int edit_distance(std::string_view a, std::string_view b);

// The candidate nearest to `word`, ignoring case; the first one when several are equally near. No value when even that
// one differs in more than a third of its letters (two are always allowed), since a far-fetched suggestion misleads.
[[nodiscard]] std::optional<std::string> nearest_name(std::string_view word, std::span<const std::string> candidates);

}  // namespace convoy
