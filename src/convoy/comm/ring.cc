#include "convoy/comm/ring.h"

#include "convoy/comm/cut.h"

namespace convoy {

std::span<float> ring_slice(std::span<float> values, int ranks, int rank) {
  const int index = (rank + 1 + ranks) % ranks;
  return slices(values, ranks, index, index + 1);
}

void ring_reduce_scatter(Endpoint& endpoint, std::span<float> values, Scratch& scratch) {
  const int size = endpoint.size();
  const int rank = endpoint.rank();
  const int next = (rank + 1) % size;
  const int previous = (rank + size - 1) % size;
  const std::size_t longest = cut_point(values.size(), size, 1);
  for (int step = 0; step + 1 < size; ++step) {
    const std::span<float> out = ring_slice(values, size, rank - step - 1);
    const std::span<float> sum = ring_slice(values, size, rank - step - 2);
    exchange_and_add(endpoint, next, out, previous, sum, longest, scratch);
  }
}

void ring_all_reduce(Endpoint& endpoint, std::span<float> values, Scratch& scratch) {
  const int size = endpoint.size();
  const int rank = endpoint.rank();
  const int next = (rank + 1) % size;
  const int previous = (rank + size - 1) % size;
  ring_reduce_scatter(endpoint, values, scratch);
  for (int step = 0; step + 1 < size; ++step) {
    endpoint.exchange(next, ring_slice(values, size, rank - step), previous, ring_slice(values, size, rank - step - 1));
  }
}

}  // namespace convoy
