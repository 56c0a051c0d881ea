#include "convoy/comm/algorithm.h"

#include "convoy/base/name_index.h"

namespace convoy {

const std::vector<std::string>& algorithm_names() {
  static const std::vector<std::string> names = {
      "mpi", "ring", "recursive-doubling", "rabenseifner", "reduce-broadcast", "hierarchical", "auto"};
  return names;
}

const std::string& name_of(Algorithm algorithm) { return algorithm_names().at(static_cast<std::size_t>(algorithm)); }

Algorithm algorithm_named(std::string_view text) {
  return static_cast<Algorithm>(name_index("all-reduce algorithm", text, algorithm_names()));
}

}  // namespace convoy
