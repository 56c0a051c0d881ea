#include "convoy/comm/flat_all_reduce.h"

#include <bit>

#include "convoy/base/check.h"
#include "convoy/comm/rabenseifner.h"
#include "convoy/comm/recursive_doubling.h"
#include "convoy/comm/reduce_broadcast.h"
#include "convoy/comm/ring.h"

namespace convoy {

bool is_flat(Algorithm algorithm) {
  return algorithm != Algorithm::mpi && algorithm != Algorithm::hierarchical && algorithm != Algorithm::automatic;
}

Algorithm usual_algorithm(int ranks, std::size_t bytes) {
  constexpr std::size_t kShortBytes = std::size_t{16} << 10U;
  if (bytes <= kShortBytes) return Algorithm::recursive_doubling;
  return std::has_single_bit(static_cast<unsigned>(ranks)) ? Algorithm::rabenseifner : Algorithm::ring;
}

void flat_all_reduce(Endpoint& endpoint, std::span<float> values, Algorithm algorithm, Scratch& scratch) {
  CONVOY_CHECK(is_flat(algorithm));
  if (endpoint.size() == 1 || values.empty()) return;
  switch (algorithm) {
    case Algorithm::ring:
      return ring_all_reduce(endpoint, values, scratch);
    case Algorithm::recursive_doubling:
      return recursive_doubling_all_reduce(endpoint, values, scratch);
    case Algorithm::rabenseifner:
      return rabenseifner_all_reduce(endpoint, values, scratch);
    default:
      return reduce_broadcast_all_reduce(endpoint, values, scratch);
  }
}

}  // namespace convoy
