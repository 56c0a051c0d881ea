// The place of a name that a user wrote in a list of names, or an error that helps.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "convoy/base/error.h"
#include "convoy/base/nearest.h"

namespace convoy {

// Throws UserError with the nearest name and all names when `text` is none of them; `what` says what they name.
[[nodiscard]] inline std::size_t name_index(std::string_view what, std::string_view text,
                                            const std::vector<std::string>& names) {
  const auto found = std::ranges::find(names, text);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  const auto nearest = nearest_name(text, names);
  const std::string hint = nearest ? "; did you mean \"" + *nearest + "\"?" : ";";
  throw UserError("unknown {} \"{}\"{} there are {}", what, text, hint, fmt::join(names, ", "));
}

}  // namespace convoy
