#include "convoy/sync/message_stream.h"

namespace convoy {
namespace {

// What a message is about, so that one that belongs elsewhere is noticed.
std::uint64_t subject_of(const StreamEnd& end, std::int64_t number) {
  constexpr std::uint64_t kMostChannels = 16;
  return kMostChannels * static_cast<std::uint64_t>(number) + static_cast<std::uint64_t>(end.channel);
}

}  // namespace

void OutgoingStream::send(Transport& transport, const StreamEnd& end) {
  message_.seal(subject_of(end, sent_));
  transfer_ = transport.start_send(end.peer, end.channel, message_.bytes());
}

bool OutgoingStream::advance() {
  const bool moved = transfer_->advance();
  if (transfer_->done()) {
    transfer_.reset();
    ++sent_;
  }
  return moved;
}

void IncomingStream::restart(std::size_t message_bytes) {
  (void)message_.resize(message_bytes);
  received_ = 0;
}

bool IncomingStream::advance(Transport& transport, const StreamEnd& end) {
  if (!transfer_) transfer_ = transport.start_receive(end.peer, end.channel, message_.bytes());
  const bool moved = transfer_->advance();
  if (transfer_->done()) {
    transfer_.reset();
    message_.require_whole(subject_of(end, received_), end.peer, transport.nodes());
    ++received_;
  }
  return moved;
}

}  // namespace convoy
