// Which all-reduce algorithm is the fastest for messages of which size, as measured on one set of ranks: what "auto"
// goes by. Data only; all_reduce_measurement.h fills it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "convoy/comm/algorithm.h"
#include "convoy/comm/node_map.h"

namespace convoy {

// How the ranks lie on hosts, as a short text: equal for equal worlds only. A table is good for its topology.
[[nodiscard]] std::string topology_of(const NodeMap& nodes);

struct AllReduceTime {
  Algorithm algorithm = Algorithm::ring;
  double seconds = 0;
};

// What was measured at one size.
struct AllReduceRow {
  std::size_t bytes = 0;
  std::vector<AllReduceTime> times;  // at least one

  // `usual`, unless another is clearly faster: small differences are chance.
  [[nodiscard]] Algorithm choose(Algorithm usual) const;
};

struct AllReduceTable {
  std::string topology;
  // By size, smallest first. The same algorithm is fast or slow depending on where the values lie.
  std::vector<AllReduceRow> shared;     // in memory of allocate_shared()
  std::vector<AllReduceRow> elsewhere;  // in any other

  // As measured at the nearest size. `usual`, too, for messages that are much longer than all that were measured.
  [[nodiscard]] Algorithm choose(std::size_t bytes, bool in_shared_memory, Algorithm usual) const;

  // As one line of JSON, and back. Throws DataError for text that is no such table.
  [[nodiscard]] std::string to_json() const;
  [[nodiscard]] static AllReduceTable from_json(std::string_view text);
};

// Bytes per second that a rank gets through the network while all do, as measured; a network of 10 Gbit/s where nothing
// was.
[[nodiscard]] double wire_rate(const std::optional<AllReduceTable>& table, int nodes);

}  // namespace convoy
