#include "convoy/sync/divided_slices.h"

#include <cstring>
#include <utility>

#include "convoy/sync/codec/coded_message.h"

namespace convoy {
namespace {

std::size_t bytes_of(const std::vector<ArenaSlice>& parts) {
  std::size_t floats = 0;
  for (const ArenaSlice& part : parts) floats += part.count;
  return floats * sizeof(float);
}

void write(const std::vector<ArenaSlice>& parts, std::span<const float> values, std::span<std::byte> message) {
  for (const ArenaSlice& part : parts) {
    std::memcpy(message.data(), values.data() + part.offset, part.count * sizeof(float));
    message = message.subspan(part.count * sizeof(float));
  }
}

void read(const std::vector<ArenaSlice>& parts, std::span<const std::byte> message, std::span<float> values) {
  for (const ArenaSlice& part : parts) {
    std::memcpy(values.data() + part.offset, message.data(), part.count * sizeof(float));
    message = message.subspan(part.count * sizeof(float));
  }
}

}  // namespace

// Parts go around in a ring: each rank passes on what it received last.
void bring_together(Communicator& communicator, std::span<const DividedSlice> slices, std::span<float> values) {
  const int ranks = communicator.size();
  const int rank = communicator.rank();
  CodedMessage out;
  CodedMessage in;
  for (const DividedSlice& divided : slices) {
    const auto parts_of = [&](int of) -> const std::vector<ArenaSlice>& {
      return divided.parts[static_cast<std::size_t>(of)];
    };
    const auto subject_of = [&](int of) { return divided.slice.offset * static_cast<std::uint64_t>(ranks) + of; };
    write(parts_of(rank), values, out.resize(bytes_of(parts_of(rank))));
    out.seal(subject_of(rank));
    for (int step = 1; step < ranks; ++step) {
      const int arriving = (rank + ranks - step) % ranks;
      (void)in.resize(bytes_of(parts_of(arriving)));
      exchange(communicator.transport(), (rank + 1) % ranks, out, (rank + ranks - 1) % ranks, in, subject_of(arriving),
               communicator.nodes());
      read(parts_of(arriving), in.contents(), values);
      std::swap(out, in);
    }
  }
}

}  // namespace convoy
