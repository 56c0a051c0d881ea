// Finds a name that a user wrote in a list of names, or throws an error that helps.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "convoy/base/error.h"
#include "convoy/base/nearest.h"

namespace convoy {

// The index of `text` in `names`. If it is none of them, throws UserError that suggests the nearest name and lists all;
// `what` says what the names stand for.
[[nodiscard]] inline std::size_t name_index(std::string_view what, std::string_view text,
                                            const std::vector<std::string>& names) {
  const auto found = std::ranges::find(names, text);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  const auto nearest = nearest_name(text, names);
  const std::string hint = nearest ? "; did you mean \"" + *nearest + "\"?" : ";";
  throw UserError("unknown {} \"{}\"{} there are {}", what, text, hint, fmt::join(names, ", "));
}

}  // namespace convoy
