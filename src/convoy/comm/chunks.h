// Large messages in chunks: what arrives is added while it is still in the cache, and the memory to receive into stays
// small. Both sides of a message cut it alike.
#pragma once

#include <span>
#include <vector>

#include "convoy/comm/endpoint.h"

namespace convoy {

// Where chunks arrive before they are added. Kept between calls, so that a step allocates nothing.
class Scratch {
 public:
  // At least `count` floats, valid until the next call.
  [[nodiscard]] std::span<float> floats(std::size_t count);

 private:
  std::vector<float> memory_;
};

// Sends `out` to one rank, and adds to `sum` what another sends. `out` and `sum` are the same or do not overlap.
// `longest` is the same for both and for all ranks that take part, and no length of theirs is greater.
void exchange_and_add(Endpoint& endpoint, int to, std::span<const float> out, int from, std::span<float> sum,
                      std::size_t longest, Scratch& scratch);

// The two sides of a message that goes one way.
void send_in_chunks(Endpoint& endpoint, int to, std::span<const float> values);
void receive_and_add(Endpoint& endpoint, int from, std::span<float> sum, Scratch& scratch);

}  // namespace convoy
