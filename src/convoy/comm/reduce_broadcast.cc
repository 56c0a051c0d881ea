#include "convoy/comm/reduce_broadcast.h"

namespace convoy {

void reduce_broadcast_all_reduce(Endpoint& endpoint, std::span<float> values, Scratch& scratch) {
  if (endpoint.rank() != 0) {
    send_in_chunks(endpoint, 0, values);
    endpoint.receive(0, values);
    return;
  }
  for (int rank = 1; rank < endpoint.size(); ++rank) {
    receive_and_add(endpoint, rank, values, scratch);
  }
  for (int rank = 1; rank < endpoint.size(); ++rank) {
    endpoint.send(rank, values);
  }
}

}  // namespace convoy
