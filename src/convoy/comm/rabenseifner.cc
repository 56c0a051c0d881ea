#include "convoy/comm/rabenseifner.h"

#include <algorithm>

#include "convoy/comm/cut.h"
#include "convoy/comm/fold.h"

namespace convoy {
namespace {

// The `distance` slices that `rank` keeps in the round of that distance.
std::span<float> kept(std::span<float> values, int power, int rank, int distance) {
  const int first = rank / distance * distance;
  return slices(values, power, first, first + distance);
}

void halve(Endpoint& endpoint, std::span<float> values, int power, Scratch& scratch) {
  for (int distance = power / 2; distance >= 1; distance /= 2) {
    const int partner = endpoint.rank() ^ distance;
    const std::span<float> theirs = kept(values, power, partner, distance);
    const std::span<float> mine = kept(values, power, endpoint.rank(), distance);
    exchange_and_add(endpoint, partner, theirs, partner, mine, std::max(theirs.size(), mine.size()), scratch);
  }
}

void double_up(Endpoint& endpoint, std::span<float> values, int power) {
  for (int distance = 1; distance < power; distance *= 2) {
    const int partner = endpoint.rank() ^ distance;
    endpoint.exchange(partner, kept(values, power, endpoint.rank(), distance), partner,
                      kept(values, power, partner, distance));
  }
}

}  // namespace

void rabenseifner_all_reduce(Endpoint& endpoint, std::span<float> values, Scratch& scratch) {
  Fold fold(endpoint);
  fold.gather_guests(values, scratch);
  if (fold.takes_part()) {
    halve(endpoint, values, fold.power(), scratch);
    double_up(endpoint, values, fold.power());
  }
  fold.return_to_guests(values);
}

}  // namespace convoy
