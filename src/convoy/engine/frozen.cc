#include "convoy/engine/frozen.h"

#include <algorithm>
#include <optional>

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
  for (NodeId id = 0; id < graph.size(); ++id) {
    if (!std::holds_alternative<op::BatchNorm>(graph.node(id).op)) continue;
    const std::vector<Parameter> both = parameters_of(graph, id);
    if (names.contains(both[0].name) == names.contains(both[1].name)) continue;
    throw UserError("batch norm \"{}\" is either frozen or not: freeze both of \"{}\" and \"{}\", or none",
                    graph.node(id).name, both[0].name, both[1].name);
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

}  // namespace convoy
