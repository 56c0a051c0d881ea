#include "convoy/engine/parameter_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "convoy/base/check.h"

namespace convoy {

int ParameterTable::find(const std::string& name) const {
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (entries[i].parameter.name == name) return static_cast<int>(i);
  }
  throw InternalError(fmt::format("no parameter is called {}", name));
}

bool ParameterTable::trainable(int index) const {
  return entries[static_cast<std::size_t>(index)].slice.offset < trainable_floats;
}

void ParameterTable::arrange(const std::vector<int>& ready) {
  constexpr std::size_t kLineFloats = 16;
  readiness = ready;
  for (int i = 0; i < static_cast<int>(entries.size()); ++i) {
    if (std::find(ready.begin(), ready.end(), i) == ready.end()) readiness.push_back(i);
  }
  CONVOY_CHECK_EQ(readiness.size(), entries.size());
  arena_floats = trainable_floats = 0;
  for (std::size_t i = 0; i < readiness.size(); ++i) {
    ParameterEntry& entry = entries[static_cast<std::size_t>(readiness[i])];
    const std::size_t floats = entry.layout.bytes() / sizeof(float);
    entry.slice = {arena_floats, (floats + kLineFloats - 1) / kLineFloats * kLineFloats};
    arena_floats += entry.slice.count;
    if (i < ready.size()) trainable_floats = arena_floats;
  }
}

}  // namespace convoy
