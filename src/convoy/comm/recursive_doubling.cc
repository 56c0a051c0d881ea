#include "convoy/comm/recursive_doubling.h"

#include "convoy/comm/fold.h"

namespace convoy {

void recursive_doubling_all_reduce(Endpoint& endpoint, std::span<float> values, Scratch& scratch) {
  Fold fold(endpoint);
  fold.gather_guests(values, scratch);
  for (int distance = 1; fold.takes_part() && distance < fold.power(); distance *= 2) {
    const int partner = endpoint.rank() ^ distance;
    exchange_and_add(endpoint, partner, values, partner, values, values.size(), scratch);
  }
  fold.return_to_guests(values);
}

}  // namespace convoy
