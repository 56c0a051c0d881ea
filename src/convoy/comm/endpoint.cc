#include "convoy/comm/endpoint.h"

#include "convoy/base/check.h"

namespace convoy {

Endpoint::Endpoint(int rank, int size) : rank_(rank), size_(size) {
  CONVOY_CHECK_LE(0, rank);
  CONVOY_CHECK_LT(rank, size);
}

void Endpoint::check_peer(int peer) const {
  CONVOY_CHECK_LE(0, peer);
  CONVOY_CHECK_LT(peer, size_);
  CONVOY_CHECK_OP(peer, !=, rank_);
}

void Endpoint::send(int to, std::span<const std::byte> bytes) {
  check_peer(to);
  if (is_on_wire(to)) count_wire_bytes(bytes.size());
  do_send(to, bytes);
}

void Endpoint::receive(int from, std::span<std::byte> bytes) {
  check_peer(from);
  do_receive(from, bytes);
}

void Endpoint::exchange(int to, std::span<const std::byte> out, int from, std::span<std::byte> in) {
  check_peer(to);
  check_peer(from);
  if (is_on_wire(to)) count_wire_bytes(out.size());
  do_exchange(to, out, from, in);
}

// Dissemination: after the round of distance d every rank has heard, directly or not, from the 2d-1 ranks before it.
void Endpoint::barrier() {
  for (int distance = 1; distance < size_; distance *= 2) {
    const int to = (rank_ + distance) % size_;
    const int from = (rank_ + size_ - distance) % size_;
    exchange(to, std::span<const std::byte>{}, from, std::span<std::byte>{});
  }
}

}  // namespace convoy
