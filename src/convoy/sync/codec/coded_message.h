// Messages of encoded gradients, each with a header that tells whether it has arrived as it was sent.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "convoy/comm/endpoint.h"
#include "convoy/comm/node_map.h"

namespace convoy {

// Memory for one message: the header, then what it carries.
class CodedMessage {
 public:
  // The contents, `bytes` of them, aligned to 8. What it held before is lost.
  [[nodiscard]] std::span<std::byte> resize(std::size_t bytes);
  [[nodiscard]] std::span<const std::byte> contents() const;

  // Writes the header. `subject` is what the message is about, such as a place in the arena; the receiver knows it too.
  void seal(std::uint64_t subject);

  // Throws PeerError naming `sender`, its number among all ranks, when length or checksum are not those of a message
  // about `subject`.
  void require_whole(std::uint64_t subject, int sender, const NodeMap& nodes) const;

  [[nodiscard]] std::span<std::byte> bytes() { return memory_; }

 private:
  struct Header;
  std::vector<std::byte> memory_;
};

// Sends `out`, which is sealed, to one rank, and receives `in`, resized to what is expected, from another.
void exchange(Endpoint& endpoint, int to, CodedMessage& out, int from, CodedMessage& in, std::uint64_t subject_of_in,
              const NodeMap& nodes);

}  // namespace convoy
