#include "convoy/engine/parameter_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "convoy/base/check.h"
#include "convoy/base/error.h"
#include "convoy/base/nearest.h"
#include "convoy/graph/parameters.h"

namespace convoy {
namespace {

void refuse_unknown_names(const std::vector<Parameter>& parameters, const std::set<std::string>& names) {
  std::vector<std::string> known;
  for (const Parameter& parameter : parameters) known.push_back(parameter.name);
  for (const std::string& name : names) {
    if (std::ranges::find(known, name) != known.end()) continue;
    const std::optional<std::string> nearest = nearest_name(name, known);
    throw UserError("cannot freeze \"{}\": the network has no such parameter{}", name,
                    nearest ? "; did you mean \"" + *nearest + "\"?" : "");
  }
}

void refuse_half_a_batch_norm(const Graph& graph, const std::set<std::string>& names) {
  for (LayerId id = 0; id < graph.size(); ++id) {
    if (!std::holds_alternative<op::BatchNorm>(graph.layer(id).op)) continue;
    const std::vector<Parameter> both = parameters_of(graph, id);
    if (names.contains(both[0].name) == names.contains(both[1].name)) continue;
    throw UserError("batch norm \"{}\" is either frozen or not: freeze both of \"{}\" and \"{}\", or none",
                    graph.layer(id).name, both[0].name, both[1].name);
  }
}

}  // namespace

std::vector<bool> frozen_parameters(const Graph& graph, const std::set<std::string>& names) {
  const std::vector<Parameter> parameters = parameters_of(graph);
  refuse_unknown_names(parameters, names);
  refuse_half_a_batch_norm(graph, names);
  std::vector<bool> frozen;
  for (const Parameter& parameter : parameters) frozen.push_back(names.contains(parameter.name));
  return frozen;
}

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

bool ParameterTable::has_copies() const { return std::ranges::any_of(entries, &ParameterEntry::copied); }

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
