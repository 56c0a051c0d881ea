#include "convoy/comm/thread/thread_world.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <functional>
#include <latch>
#include <memory>
#include <string>
#include <vector>

#include "convoy/base/error.h"
#include "convoy/base/throws_with_test.h"
#include "convoy/comm/group.h"
#include "convoy/comm/node_barrier.h"
#include "convoy/comm/peer_error.h"

namespace convoy {
namespace {

using std::chrono_literals::operator""ms;

std::span<std::byte> bytes_of(int& number) { return std::as_writable_bytes(std::span(&number, 1)); }

TEST(ThreadWorld, KeepsTheOrderOfMessages) {
  run_as_threads({.ranks = 2}, [](Transport& transport) {
    for (int i = 0; i < 100; ++i) {
      int number = i;
      if (transport.rank() == 0) {
        transport.send(1, bytes_of(number));
      } else {
        number = -1;
        transport.receive(0, bytes_of(number));
        EXPECT_EQ(number, i);
      }
    }
  });
}

TEST(ThreadWorld, ExchangesAroundARing) {
  run_as_threads({.ranks = 5}, [](Transport& transport) {
    int mine = transport.rank();
    int theirs = -1;
    transport.exchange((mine + 1) % 5, bytes_of(mine), (mine + 4) % 5, bytes_of(theirs));
    EXPECT_EQ(theirs, (mine + 4) % 5);
  });
}

TEST(ThreadWorld, NobodyPassesABarrierBeforeAllHaveCome) {
  std::atomic<int> arrived = 0;
  run_as_threads({.ranks = 7}, [&](Transport& transport) {
    for (int round = 1; round <= 20; ++round) {
      ++arrived;
      transport.barrier();
      EXPECT_GE(arrived, 7 * round);
      transport.barrier();
    }
  });
}

void finish(Transfer& transfer) {
  while (!transfer.done()) (void)transfer.advance();
}

// The second channel's message arrives although those of the first are not looked at, and before they are.
TEST(ThreadWorld, ChannelsKeepTheirOrderAndKnowNothingOfEachOther) {
  run_as_threads({.ranks = 2}, [](Transport& transport) {
    std::array numbers = {1, 2, 3};
    std::vector<std::unique_ptr<Transfer>> transfers;
    if (transport.rank() == 0) {
      for (int i = 0; i < 3; ++i) transfers.push_back(transport.start_send(1, i / 2, bytes_of(numbers[i])));
      int number = 4;
      transport.send(1, bytes_of(number));
      for (const auto& transfer : transfers) finish(*transfer);
      return;
    }
    numbers.fill(0);
    int number = 0;
    transport.receive(0, bytes_of(number));
    EXPECT_EQ(number, 4);
    for (int i = 0; i < 3; ++i) transfers.push_back(transport.start_receive(0, i / 2, bytes_of(numbers[i])));
    finish(*transfers[2]);
    EXPECT_EQ(numbers, (std::array{0, 0, 3}));
    EXPECT_FALSE(transfers[2]->advance());
    for (const auto& transfer : transfers) finish(*transfer);
    EXPECT_EQ(numbers, (std::array{1, 2, 3}));
  });
}

TEST(ThreadWorld, AGroupIsAWorldOfItsOwn) {
  run_as_threads({.ranks = 4}, [](Transport& transport) {
    if (transport.rank() == 2) return;
    Group group(transport, {3, 0, 1});
    const std::array kExpectedRank = {1, 2, -1, 0};
    EXPECT_EQ(group.rank(), kExpectedRank[transport.rank()]);
    int mine = transport.rank();
    int theirs = -1;
    group.exchange((group.rank() + 1) % 3, bytes_of(mine), (group.rank() + 2) % 3, bytes_of(theirs));
    EXPECT_EQ(theirs, (std::array{3, 0, 1})[(group.rank() + 2) % 3]);
  });
}

// The missing rank is alive but busy: it ends only after the others have given up.
void expect_all_name_rank_two(const std::function<void(Transport&)>& operation) {
  std::latch given_up(3);
  run_as_threads({.ranks = 4, .late_when_waiting = 3}, [&](Transport& transport) {
    if (transport.rank() == 2) {
      given_up.wait();
      return;
    }
    try {
      operation(transport);
      ADD_FAILURE() << "rank " << transport.rank() << " noticed nothing";
    } catch (const SystemError& error) {
      EXPECT_EQ(error.rank(), 2) << error.what();
      EXPECT_NE(std::string(error.what()).find("rank 2 on node 0 did not answer within 60 s"), std::string::npos)
          << error.what();
    }
    given_up.count_down();
  });
}

TEST(ThreadWorld, ARankThatDoesNotComeIsNamedByAll) {
  expect_all_name_rank_two([](Transport& transport) { transport.barrier(); });
}

TEST(ThreadWorld, ARingThatStandsStillNamesTheMissingRankAndNotTheNeighbour) {
  expect_all_name_rank_two([](Transport& transport) {
    int mine = 0;
    int theirs = 0;
    for (int step = 0; step < 3; ++step) {
      transport.exchange((transport.rank() + 1) % 4, bytes_of(mine), (transport.rank() + 3) % 4, bytes_of(theirs));
    }
  });
}

TEST(ThreadWorld, TheClockEndsAWaitToo) {
  std::latch given_up(1);
  run_as_threads({.ranks = 2, .deadline = 5ms}, [&](Transport& transport) {
    if (transport.rank() == 1) {
      given_up.wait();
      return;
    }
    EXPECT_TRUE(throws_with<PeerError>([&] { transport.barrier(); }, "rank 1 on node 0 did not answer within 0.005 s"));
    given_up.count_down();
  });
}

TEST(NodeBarrier, NamesTheRankThatDoesNotCome) {
  NodeBarrier::Counter own = 0;
  NodeBarrier::Counter others = 1;
  std::latch given_up(1);
  run_as_threads({.ranks = 2, .deadline = 5ms}, [&](Transport& transport) {
    if (transport.rank() == 1) {
      given_up.wait();
      return;
    }
    NodeBarrier barrier({&own, &others}, transport);
    barrier.wait();
    EXPECT_TRUE(throws_with<PeerError>([&] { barrier.wait(); }, "rank 1 on node 0 did not answer within 0.005 s"));
    given_up.count_down();
  });
}

// Rank 0 waits for its delegate, rank 1, which waits for rank 2 on another node.
TEST(NodeBarrier, NamesTheRankOnAnotherNodeThatAllWaitFor) {
  NodeBarrier::Counter own = 0;
  NodeBarrier::Counter others = 0;
  std::latch given_up(2);
  run_as_threads({.ranks = 3, .node_of_rank = {0, 0, 1}, .late_when_waiting = 2}, [&](Transport& transport) {
    if (transport.rank() == 2) {
      given_up.wait();
      return;
    }
    NodeBarrier barrier({&own, &others}, transport);
    int number = 0;
    EXPECT_TRUE(throws_with<PeerError>(
        [&] {
          if (transport.rank() == 1) transport.receive(2, bytes_of(number));
          barrier.wait();
        },
        "rank 2 on node 1 did not answer"));
    given_up.count_down();
  });
}

TEST(ThreadWorld, ARankThatEndedIsMissedAtOnce) {
  run_as_threads({.ranks = 3}, [](Transport& transport) {
    if (transport.rank() == 1) return;
    EXPECT_TRUE(throws_with<PeerError>([&] { transport.barrier(); }, "rank 1"));
  });
}

TEST(ThreadWorld, RanksThatWaitForEachOtherSaySo) {
  run_as_threads({.ranks = 2, .late_when_waiting = 2}, [](Transport& transport) {
    int number = 0;
    EXPECT_TRUE(throws_with<PeerError>([&] { transport.receive(1 - transport.rank(), bytes_of(number)); },
                                       "wait for each other"));
  });
}

TEST(ThreadWorld, TheFirstErrorOfARankIsThrownAgain) {
  EXPECT_TRUE(throws_with<DataError>(
      [] {
        run_as_threads({.ranks = 3}, [](Transport& transport) {
          if (transport.rank() == 1) throw DataError("the first");
          transport.barrier();
        });
      },
      "the first"));
}

TEST(ThreadWorld, ADifferentLengthIsADefect) {
  EXPECT_THROW(run_as_threads({.ranks = 2},
                              [](Transport& transport) {
                                std::array<float, 3> values{};
                                if (transport.rank() == 0) transport.send(1, std::span<const float>(values));
                                if (transport.rank() == 1) transport.receive(0, std::span(values).first(2));
                              }),
               InternalError);
}

TEST(ThreadWorld, APeerOutsideTheWorldIsADefect) {
  run_as_threads({.ranks = 2}, [](Transport& transport) {
    int number = 0;
    EXPECT_THROW(transport.send(2, bytes_of(number)), InternalError);
    EXPECT_THROW(transport.receive(transport.rank(), bytes_of(number)), InternalError);
  });
}

}  // namespace
}  // namespace convoy
