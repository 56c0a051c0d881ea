#include "convoy/engine/parameter_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "convoy/base/check.h"
#include "convoy/base/error.h"
#include "convoy/base/nearest.h"

namespace convoy {

namespace {

int index_of(const char* what, const std::string& name, const std::vector<std::string>& names) {
  const auto at = std::find(names.begin(), names.end(), name);
  if (at != names.end()) return static_cast<int>(at - names.begin());
  const std::optional<std::string> nearest = nearest_name(name, names);
  throw UserError("the network has no {} \"{}\"{}", what, name,
                  nearest ? fmt::format("; did you mean \"{}\"?", *nearest) : "");
}

}  // namespace

int ParameterTable::find(const std::string& name) const {
  std::vector<std::string> names;
  for (const ParameterEntry& entry : entries) names.push_back(entry.parameter.name);
  return index_of("parameter", name, names);
}

int ParameterTable::find_statistics(const std::string& name) const {
  std::vector<std::string> names;
  for (const StatisticsEntry& entry : statistics) names.push_back(entry.name);
  return index_of("running statistics", name, names);
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
