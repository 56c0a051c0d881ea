// Messages of one kind that one rank sends another, one after the other, while both do other things.
#pragma once

#include <cstdint>
#include <memory>

#include "convoy/comm/transport.h"
#include "convoy/sync/codec/coded_message.h"

namespace convoy {

// Where the messages of a stream go, or come from.
struct StreamEnd {
  int peer = 0;
  int channel = 0;  // of the transport
};

class OutgoingStream {
 public:
  // The next message; must not change while it is being sent.
  [[nodiscard]] CodedMessage& message() { return message_; }
  [[nodiscard]] bool is_sending() const { return transfer_ != nullptr; }
  [[nodiscard]] std::int64_t sent() const { return sent_; }

  void send(Transport& transport, const StreamEnd& end);
  // Returns whether anything has moved.
  [[nodiscard]] bool advance();
  // Counts a message that was delivered without being sent.
  void skip() { ++sent_; }
  void restart() { sent_ = 0; }

 private:
  CodedMessage message_;
  std::unique_ptr<Transfer> transfer_;
  std::int64_t sent_ = 0;
};

class IncomingStream {
 public:
  // The last message; all have its length. May be swapped for another of that length once it has arrived.
  [[nodiscard]] CodedMessage& message() { return message_; }
  [[nodiscard]] std::int64_t received() const { return received_; }

  // Looks for the next message. Returns whether anything has moved; received() tells whether it is there. Throws
  // PeerError if it arrived damaged.
  [[nodiscard]] bool advance(Transport& transport, const StreamEnd& end);
  void skip() { ++received_; }
  void restart(std::size_t message_bytes);

 private:
  CodedMessage message_;
  std::unique_ptr<Transfer> transfer_;
  std::int64_t received_ = 0;
};

}  // namespace convoy
