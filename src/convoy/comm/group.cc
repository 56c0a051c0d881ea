#include "convoy/comm/group.h"

#include <algorithm>
#include <utility>

namespace convoy {
namespace {

int place_of(int rank, const std::vector<int>& ranks) {
  return static_cast<int>(std::ranges::find(ranks, rank) - ranks.begin());
}

}  // namespace

// For a rank that is not in the list, place_of() gives an index past its end, which Endpoint refuses.
Group::Group(Endpoint& world, std::vector<int> ranks)
    : Endpoint(place_of(world.rank(), ranks), static_cast<int>(ranks.size())),
      world_(world),
      ranks_(std::move(ranks)) {}

void Group::do_send(int to, std::span<const std::byte> bytes) { world_.send(ranks_[to], bytes); }

void Group::do_receive(int from, std::span<std::byte> bytes) { world_.receive(ranks_[from], bytes); }

void Group::do_exchange(int to, std::span<const std::byte> out, int from, std::span<std::byte> in) {
  world_.exchange(ranks_[to], out, ranks_[from], in);
}

}  // namespace convoy
