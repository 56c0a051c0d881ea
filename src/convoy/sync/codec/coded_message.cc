#include "convoy/sync/codec/coded_message.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <cstring>

#include "convoy/comm/peer_error.h"

namespace convoy {

struct CodedMessage::Header {
  std::uint64_t bytes = 0;  // length of the contents
  std::uint64_t checksum = 0;
};

std::span<std::byte> CodedMessage::resize(std::size_t bytes) {
  memory_.resize(sizeof(Header) + bytes);
  return std::span(memory_).subspan(sizeof(Header));
}

std::span<const std::byte> CodedMessage::contents() const { return std::span(memory_).subspan(sizeof(Header)); }

void CodedMessage::seal(std::uint64_t subject) {
  const Header header{.bytes = contents().size(),
                      .checksum = XXH3_64bits_withSeed(contents().data(), contents().size(), subject)};
  std::memcpy(memory_.data(), &header, sizeof header);
}

void CodedMessage::require_whole(std::uint64_t subject, int sender, const NodeMap& nodes) const {
  Header header;
  std::memcpy(&header, memory_.data(), sizeof header);
  const std::string from = fmt::format("rank {} on {}", sender, nodes.host_of(sender));
  if (header.bytes != contents().size()) {
    throw PeerError(fmt::format("a message of {} arrived damaged: {} bytes were sent, {} were expected", from,
                                header.bytes, contents().size()),
                    sender);
  }
  if (header.checksum != XXH3_64bits_withSeed(contents().data(), contents().size(), subject)) {
    throw PeerError(fmt::format("a message of {} arrived damaged: the checksum of {} bytes is wrong; memory, network "
                                "card or cable may be faulty",
                                from, contents().size()),
                    sender);
  }
}

void exchange(Endpoint& endpoint, int to, CodedMessage& out, int from, CodedMessage& in, std::uint64_t subject_of_in,
              const NodeMap& nodes) {
  endpoint.exchange(to, std::span<const std::byte>(out.bytes()), from, in.bytes());
  in.require_whole(subject_of_in, endpoint.world_rank(from), nodes);
}

}  // namespace convoy
