// Which all-reduce algorithm is the fastest for which message size, as measured on one set of ranks; "auto" chooses by
// it. This is only data; all_reduce_measurement.h fills it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "convoy/comm/algorithm.h"
#include "convoy/comm/node_map.h"

namespace convoy {

// Which rank is on which host, as a short text that is equal only for equal arrangements. A table is valid for its
// topology.
[[nodiscard]] std::string topology_of(const NodeMap& nodes);

struct AllReduceTime {
  Algorithm algorithm = Algorithm::ring;
  double seconds = 0;
};

// The times measured at one size.
struct AllReduceRow {
  std::size_t bytes = 0;
  std::vector<AllReduceTime> times;  // at least one

  // `usual`, unless another algorithm is clearly faster: small differences are chance.
  [[nodiscard]] Algorithm choose(Algorithm usual) const;
};

struct AllReduceTable {
  std::string topology;
  // By size, smallest first. How fast an algorithm is also depends on which memory the values are in.
  std::vector<AllReduceRow> shared;     // memory of allocate_shared()
  std::vector<AllReduceRow> elsewhere;  // any other memory

  // The choice of the row with the nearest size. `usual` for messages that are much longer than all measured ones.
  [[nodiscard]] Algorithm choose(std::size_t bytes, bool in_shared_memory, Algorithm usual) const;

  // As one line of JSON, and back. Throws DataError for text that is not such a table.
  [[nodiscard]] std::string to_json() const;
  [[nodiscard]] static AllReduceTable from_json(std::string_view text);
};

// How many bytes per second a rank can send over the network while all ranks send, as measured; without a measurement,
// those of 10 Gbit/s.
[[nodiscard]] double wire_rate(const std::optional<AllReduceTable>& table, int nodes);

}  // namespace convoy
