// Which parameters are frozen, by patterns of their names.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "convoy/graph/graph.h"

namespace convoy {

// The names of the parameters that match one of the patterns, which are separated by commas; * stands for any text, ?
// for one character. Throws UserError for a pattern that matches nothing, and when nothing would be left to train.
[[nodiscard]] std::set<std::string> matching_parameters(const Graph& graph, std::string_view patterns);

}  // namespace convoy
