#include "convoy/comm/ring.h"

#include "convoy/comm/cut.h"

namespace convoy {

void ring_all_reduce(Endpoint& endpoint, std::span<float> values, Scratch& scratch) {
  const int size = endpoint.size();
  const int rank = endpoint.rank();
  const int next = (rank + 1) % size;
  const int previous = (rank + size - 1) % size;
  const std::size_t longest = cut_point(values.size(), size, 1);
  // Counted backwards around the ring from this rank's own.
  const auto slice = [&](int back) {
    const int index = (rank - back + 2 * size) % size;
    return slices(values, size, index, index + 1);
  };
  for (int step = 0; step + 1 < size; ++step) {
    exchange_and_add(endpoint, next, slice(step), previous, slice(step + 1), longest, scratch);
  }
  for (int step = 0; step + 1 < size; ++step) {
    endpoint.exchange(next, slice(step - 1), previous, slice(step));
  }
}

}  // namespace convoy
