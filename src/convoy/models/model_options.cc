#include "convoy/models/model_options.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "convoy/base/error.h"

namespace convoy {

const std::vector<std::string>& loss_names() {
  static const std::vector<std::string> names = {"cross-entropy", "mean-squared-error"};
  return names;
}

Loss loss_named(std::string_view name) {
  const std::vector<std::string>& names = loss_names();
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) {
    throw UserError("unknown loss \"{}\"; use one of {}", name, fmt::join(names, ", "));
  }
  return static_cast<Loss>(found - names.begin());
}

}  // namespace convoy
