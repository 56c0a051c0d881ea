#include "convoy/sync/message_stream.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <latch>

#include "convoy/base/throws_with_test.h"
#include "convoy/comm/peer_error.h"
#include "convoy/comm/thread/thread_world.h"

namespace convoy {
namespace {

constexpr std::size_t kBytes = 24;

void finish(OutgoingStream& stream) {
  while (stream.is_sending()) (void)stream.advance();
}

void receive_next(IncomingStream& stream, Transport& transport, const StreamEnd& end) {
  const std::int64_t before = stream.received();
  while (stream.received() == before) (void)stream.advance(transport, end);
}

TEST(MessageStream, MessagesArriveInOrder) {
  run_as_threads({.ranks = 2}, [](Transport& transport) {
    const StreamEnd other{.peer = 1 - transport.rank(), .channel = 1};
    OutgoingStream out;
    IncomingStream in;
    in.restart(kBytes);
    for (int number = 1; number <= 5; ++number) {
      if (transport.rank() == 0) {
        std::ranges::fill(out.message().resize(kBytes), static_cast<std::byte>(number));
        out.send(transport, other);
        finish(out);
        EXPECT_EQ(out.sent(), number);
      } else {
        receive_next(in, transport, other);
        EXPECT_EQ(in.message().contents()[kBytes - 1], static_cast<std::byte>(number));
      }
    }
  });
}

// A message stays in its sender's memory until it is received, so it can be damaged on the way.
TEST(MessageStream, ADamagedMessageNamesItsSender) {
  std::latch damaged(1);
  run_as_threads({.ranks = 2}, [&](Transport& transport) {
    const StreamEnd other{.peer = 1 - transport.rank(), .channel = 0};
    if (transport.rank() == 0) {
      OutgoingStream out;
      std::ranges::fill(out.message().resize(kBytes), std::byte{7});
      out.send(transport, other);
      out.message().bytes().back() = std::byte{8};
      damaged.count_down();
      finish(out);
      return;
    }
    damaged.wait();
    IncomingStream in;
    in.restart(kBytes);
    EXPECT_TRUE(throws_with<PeerError>([&] { receive_next(in, transport, other); }, "rank 0 on node 0"));
  });
}

// One that belongs elsewhere is whole but not the one that is expected.
TEST(MessageStream, AnotherMessageThanTheNextIsRefused) {
  run_as_threads({.ranks = 2}, [&](Transport& transport) {
    const StreamEnd other{.peer = 1 - transport.rank(), .channel = 0};
    if (transport.rank() == 0) {
      OutgoingStream out;
      std::ranges::fill(out.message().resize(kBytes), std::byte{7});
      out.skip();
      out.send(transport, other);
      finish(out);
      return;
    }
    IncomingStream in;
    in.restart(kBytes);
    EXPECT_THROW(receive_next(in, transport, other), PeerError);
  });
}

}  // namespace
}  // namespace convoy
