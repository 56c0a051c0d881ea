// The update rules that treat each element by itself, for tests that all of them must pass.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "convoy/optim/optimizer_options.h"

namespace convoy {

[[nodiscard]] inline std::vector<std::string> element_wise_names() {
  std::vector<std::string> names = optimizer_names();
  std::erase_if(names, [](const std::string& name) { return is_layerwise(optimizer_named(name)); });
  return names;
}

}  // namespace convoy
