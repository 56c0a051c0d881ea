// Which host or link is slower than the rest.
#pragma once

#include <string>
#include <vector>

#include "convoy/comm/link_map.h"

namespace convoy {

// In sentences that name hosts and figures: a host when more than half of its links are slow, a link otherwise. Usual
// is what a quarter of all links exceed (one slow host among three has more than half of the links, so their median
// would be its own); slow is less than 60 % of the usual bandwidth, or more than three times the usual latency. With
// two hosts there is nothing to compare, and nothing is said.
[[nodiscard]] std::vector<std::string> slow_links(const LinkMap& map);

}  // namespace convoy
