#include "convoy/train/parameter_patterns.h"

#include <fnmatch.h>

#include <sstream>

#include "convoy/base/error.h"
#include "convoy/graph/parameters.h"

namespace convoy {

std::set<std::string> matching_parameters(const Graph& graph, std::string_view patterns) {
  const auto parameters = parameters_of(graph);
  std::set<std::string> frozen;
  std::istringstream list{std::string(patterns)};
  for (std::string pattern; std::getline(list, pattern, ',');) {
    bool matches = false;
    for (const Parameter& parameter : parameters) {
      if (fnmatch(pattern.c_str(), parameter.name.c_str(), 0) != 0) continue;
      frozen.insert(parameter.name);
      matches = true;
    }
    if (!matches) {
      throw UserError("freeze: no parameter is named '{}'; their names are like '{}' (`convoy summary` shows layers)",
                      pattern, parameters.front().name);
    }
  }
  if (frozen.size() == parameters.size()) throw UserError("freeze: '{}' leaves nothing to train", patterns);
  return frozen;
}

}  // namespace convoy
