// The all-reduce algorithms and their names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace convoy {

// For n ranks and m bytes: how much the busiest rank sends, and in how many messages one after the other.
enum class Algorithm {
  mpi,                 // MPI's own
  ring,                // 2m(n-1)/n in 2(n-1): the least traffic, the most messages
  recursive_doubling,  // m log2(n) in log2(n): the fewest messages, good for short ones
  rabenseifner,        // 2m(n-1)/n in 2 log2(n): halving and doubling; best where n is a power of two
  reduce_broadcast,    // all to rank 0 and back: rank 0 receives and sends m(n-1)
  hierarchical,        // shared memory inside nodes, another algorithm between nodes
  automatic,  // "auto": the fastest of the others for the message size and topology, by a measured table or by rules of
              // thumb
};

// In the order of the enumeration, as users write them: "recursive-doubling".
[[nodiscard]] const std::vector<std::string>& algorithm_names();
[[nodiscard]] const std::string& name_of(Algorithm algorithm);

// Throws UserError with the nearest name for an unknown one.
[[nodiscard]] Algorithm algorithm_named(std::string_view text);

}  // namespace convoy
