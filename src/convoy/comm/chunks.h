// Sends large messages in chunks: what arrives is added while it is still in the cache, and the memory to receive into
// stays small. Sender and receiver cut a message the same way.
#pragma once

#include <span>
#include <vector>

#include "convoy/comm/endpoint.h"

namespace convoy {

// Memory for chunks that arrive before they are added. It is kept between calls, so that a step allocates nothing.
class Scratch {
 public:
  // At least `count` floats, valid until the next call.
  [[nodiscard]] std::span<float> floats(std::size_t count);

 private:
  std::vector<float> memory_;
};

// Sends `out` to one rank while adding to `sum` what another rank sends. `out` and `sum` are the same or do not
// overlap. `longest` is at least as long as any rank's `out` and `sum`, and must be the same on all ranks that take
// part.
void exchange_and_add(Endpoint& endpoint, int to, std::span<const float> out, int from, std::span<float> sum,
                      std::size_t longest, Scratch& scratch);

// The two sides of a message that goes one way.
void send_in_chunks(Endpoint& endpoint, int to, std::span<const float> values);
void receive_and_add(Endpoint& endpoint, int from, std::span<float> sum, Scratch& scratch);

}  // namespace convoy
