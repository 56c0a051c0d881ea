#include "convoy/comm/fold.h"

#include <bit>

namespace convoy {

Fold::Fold(Endpoint& endpoint)
    : endpoint_(endpoint), power_(static_cast<int>(std::bit_floor(static_cast<unsigned>(endpoint.size())))) {}

void Fold::gather_guests(std::span<float> values, Scratch& scratch) {
  if (!takes_part()) {
    send_in_chunks(endpoint_, endpoint_.rank() - power_, values);
  } else if (has_guest()) {
    receive_and_add(endpoint_, endpoint_.rank() + power_, values, scratch);
  }
}

void Fold::return_to_guests(std::span<float> values) {
  if (!takes_part()) {
    endpoint_.receive(endpoint_.rank() - power_, values);
  } else if (has_guest()) {
    endpoint_.send(endpoint_.rank() + power_, values);
  }
}

}  // namespace convoy
