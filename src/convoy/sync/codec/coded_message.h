// Messages of encoded gradients or parameters. A header shows whether a message arrived as it was sent.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "convoy/comm/endpoint.h"
#include "convoy/comm/node_map.h"

namespace convoy {

// Memory for one message: a header, then the contents.
class CodedMessage {
 public:
  // Resizes the contents to `bytes` bytes, aligned to 8, and returns them. Earlier contents are lost.
  [[nodiscard]] std::span<std::byte> resize(std::size_t bytes);
  [[nodiscard]] std::span<const std::byte> contents() const;

  // Writes the header. `subject` identifies what the message is about, such as an offset in the arena; the receiver
  // knows it too.
  void seal(std::uint64_t subject);

  // Throws PeerError that names `sender`, a rank of the world, unless length and checksum are those of a message about
  // `subject`.
  void require_whole(std::uint64_t subject, int sender, const NodeMap& nodes) const;

  [[nodiscard]] std::span<std::byte> bytes() { return memory_; }

 private:
  struct Header;
  std::vector<std::byte> memory_;
};

// Sends `out`, which must be sealed, to one rank and receives `in`, which must be resized to the expected length, from
// another.
void exchange(Endpoint& endpoint, int to, CodedMessage& out, int from, CodedMessage& in, std::uint64_t subject_of_in,
              const NodeMap& nodes);

}  // namespace convoy
