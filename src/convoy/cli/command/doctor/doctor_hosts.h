// `convoy doctor --hosts`: looks at several hosts and the links between them, from a rank on each.
#pragma once

#include <string>

namespace convoy::cli {

// Starts a rank on each host, or is one of those; rank 0 prints. Throws RanksFailed when hosts cannot be reached, after
// saying which.
void examine_hosts(const std::string& hosts, bool as_json);

}  // namespace convoy::cli
