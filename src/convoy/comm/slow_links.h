// Finds hosts and links that are slower than the rest.
#pragma once

#include <string>
#include <vector>

#include "convoy/comm/link_map.h"

namespace convoy {

// Sentences that name hosts and figures: a host when more than half of its links are slow, otherwise the link. The
// usual value is the one that a quarter of all links exceed. (The median would not do: one slow host among three has
// more than half of the links.) Slow is less than 60 % of the usual bandwidth, or more than three times the usual
// latency. Empty for two hosts, since there is nothing to compare.
[[nodiscard]] std::vector<std::string> slow_links(const LinkMap& map);

}  // namespace convoy
