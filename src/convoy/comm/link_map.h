// Measures how fast the network is between each two hosts.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "convoy/comm/transport.h"

namespace convoy {

// One direction of a connection: bytes per second of a long message, and half the round-trip time of a short one.
struct Link {
  double bytes_per_second = 0;
  double latency_seconds = 0;
};

// links[a * hosts.size() + b] goes from host a to host b; entries with a == b have no meaning.
struct LinkMap {
  std::vector<std::string> hosts;
  std::vector<Link> links;

  [[nodiscard]] const Link& between(std::size_t from, std::size_t to) const { return links[from * hosts.size() + to]; }
};

struct LinkMeasurement {
  std::size_t long_message_bytes = std::size_t{8} << 20U;
  int short_messages = 50;
};

// Collective: the leaders of nodes measure one pair at a time, so that no pair disturbs another; other ranks wait. The
// map is complete on rank 0 and empty on other ranks.
[[nodiscard]] LinkMap measure_links(Transport& transport, const LinkMeasurement& measurement = {});

}  // namespace convoy
