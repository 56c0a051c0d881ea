#include "convoy/comm/chunks.h"

#include <algorithm>

#include "convoy/comm/sums.h"

namespace convoy {
namespace {

// 1 MiB: small enough for a core's cache, large enough that the network's latency between chunks does not matter.
constexpr std::size_t kMessageChunk = std::size_t{1} << 18;

// The chunk of `values` that starts at `begin`; empty beyond their end.
template <typename Float>
std::span<Float> chunk_at(std::span<Float> values, std::size_t begin) {
  if (begin >= values.size()) return {};
  return values.subspan(begin, std::min(kMessageChunk, values.size() - begin));
}

}  // namespace

std::span<float> Scratch::floats(std::size_t count) {
  if (memory_.size() < count) memory_.resize(count);
  return std::span(memory_).first(count);
}

void exchange_and_add(Endpoint& endpoint, int to, std::span<const float> out, int from, std::span<float> sum,
                      std::size_t longest, Scratch& scratch) {
  for (std::size_t begin = 0; begin < longest; begin += kMessageChunk) {
    const std::span<float> chunk = chunk_at(sum, begin);
    const std::span<float> arrived = scratch.floats(chunk.size());
    endpoint.exchange(to, chunk_at(out, begin), from, arrived);
    add_to(chunk, arrived);
  }
}

void send_in_chunks(Endpoint& endpoint, int to, std::span<const float> values) {
  for (std::size_t begin = 0; begin < values.size(); begin += kMessageChunk) {
    endpoint.send(to, chunk_at(values, begin));
  }
}

void receive_and_add(Endpoint& endpoint, int from, std::span<float> sum, Scratch& scratch) {
  for (std::size_t begin = 0; begin < sum.size(); begin += kMessageChunk) {
    const std::span<float> chunk = chunk_at(sum, begin);
    const std::span<float> arrived = scratch.floats(chunk.size());
    endpoint.receive(from, arrived);
    add_to(chunk, arrived);
  }
}

}  // namespace convoy
