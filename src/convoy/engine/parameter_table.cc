#include "convoy/engine/parameter_table.h"

#include <fmt/format.h>

#include "convoy/base/check.h"

namespace convoy {

int ParameterTable::find(const std::string& name) const {
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (entries[i].parameter.name == name) return static_cast<int>(i);
  }
  throw InternalError(fmt::format("no parameter is called {}", name));
}

void ParameterTable::arrange(std::vector<int> order) {
  constexpr std::size_t kLineFloats = 16;
  CONVOY_CHECK_EQ(order.size(), entries.size());
  readiness = std::move(order);
  arena_floats = 0;
  for (const int index : readiness) {
    ParameterEntry& entry = entries[static_cast<std::size_t>(index)];
    const std::size_t floats = entry.layout.bytes() / sizeof(float);
    entry.slice = {arena_floats, (floats + kLineFloats - 1) / kLineFloats * kLineFloats};
    arena_floats += entry.slice.count;
  }
}

}  // namespace convoy
