#include "convoy/sync/codec/coded_all_reduce.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "convoy/comm/all_reduce_check_test.h"
#include "convoy/comm/peer_error.h"
#include "convoy/comm/thread/thread_world.h"

namespace convoy {
namespace {

std::vector<int> each_on_its_node(int ranks) {
  std::vector<int> nodes;
  for (int rank = 0; rank < ranks; ++rank) nodes.push_back(rank);
  return nodes;
}

void on_ranks(int ranks, const std::function<void(Transport&)>& body) {
  run_as_threads({.ranks = ranks, .node_of_rank = each_on_its_node(ranks)}, body);
}

TEST(CodedAllReduce, SumsExactlyWhereNothingIsLost) {
  const auto plain = make_plain_codec();
  for (const int ranks : {1, 2, 3, 4, 5}) {
    on_ranks(ranks, [&](Transport& transport) {
      CodedAllReduce all_reduce(transport.nodes());
      for (const std::size_t length : interesting_lengths(ranks)) {
        std::vector<float> values(length);
        fill_with_whole_numbers(values, transport.rank());
        const CodedPiece piece{.slice = {0, length}, .codec = plain.get()};
        all_reduce.sum(transport, values, {&piece, 1}, {}, length);
        expect_exact_sums(values, ranks, "plain");
      }
    });
  }
}

// Over all steps, what the ranks received plus what is still kept as error equals what they gave, whatever a codec
// lost.
TEST(CodedAllReduce, WhatIsLostComesLater) {
  constexpr int kSteps = 5;
  constexpr std::size_t kLength = 4099;
  const auto codec = make_topk_codec(0.05);
  const auto plain = make_plain_codec();
  const std::vector<CodedPiece> pieces = {
      {{0, 1000}, codec.get()}, {{1000, 3}, plain.get()}, {{1003, kLength - 1003}, codec.get()}};
  for (const int ranks : {2, 3, 4}) {
    std::vector<std::vector<float>> got(ranks, std::vector<float>(kLength));
    std::vector<std::vector<float>> owed(ranks, std::vector<float>(kLength));
    on_ranks(ranks, [&](Transport& transport) {
      CodedAllReduce all_reduce(transport.nodes());
      std::vector<float>& own = got[transport.rank()];
      for (int step = 0; step < kSteps; ++step) {
        std::vector<float> values(kLength);
        for (std::size_t i = 0; i < kLength; ++i) values[i] = awkward_number(transport.rank(), i);
        all_reduce.sum(transport, values, pieces, owed[transport.rank()], 0);
        for (std::size_t i = 0; i < kLength; ++i) own[i] += values[i];
      }
    });
    for (const std::vector<float>& other : got) EXPECT_EQ(other, got[0]) << "the same bits everywhere";
    for (std::size_t i = 0; i < kLength; ++i) {
      double total = got[0][i];
      double given = 0;
      for (int rank = 0; rank < ranks; ++rank) {
        total += owed[rank][i];
        given += kSteps * static_cast<double>(awkward_number(rank, i));
      }
      ASSERT_NEAR(total, given, 0.05) << "element " << i;
      if (i >= 1000 && i < 1003) {
        ASSERT_NEAR(got[0][i], given, 0.01);
      }
    }
  }
}

// Damages the messages that it sends.
class FaultyEndpoint final : public Endpoint {
 public:
  FaultyEndpoint(Endpoint& world, std::size_t damaged_byte)
      : Endpoint(world.rank(), world.size()), world_(world), damaged_byte_(damaged_byte) {}

 private:
  void do_send(int to, std::span<const std::byte> bytes) override { world_.send(to, bytes); }
  void do_receive(int from, std::span<std::byte> bytes) override { world_.receive(from, bytes); }
  void do_exchange(int to, std::span<const std::byte> out, int from, std::span<std::byte> in) override {
    std::vector<std::byte> damaged(out.begin(), out.end());
    if (rank() == 1 && damaged_byte_ < damaged.size()) damaged[damaged_byte_] ^= std::byte{4};
    world_.exchange(to, std::span<const std::byte>(damaged), from, in);
  }

  Endpoint& world_;
  std::size_t damaged_byte_;
};

void expect_damage_found(std::size_t damaged_byte, const std::string& text) {
  on_ranks(2, [&](Transport& transport) {
    FaultyEndpoint faulty(transport, damaged_byte);
    CodedAllReduce all_reduce(transport.nodes());
    const auto codec = make_bf16_codec();
    std::vector<float> values(5000, 1.0F);
    const CodedPiece piece{.slice = {0, values.size()}, .codec = codec.get()};
    try {
      all_reduce.sum(faulty, values, {&piece, 1}, {}, 0);
      EXPECT_EQ(transport.rank(), 1) << "nobody noticed";
    } catch (const PeerError& error) {
      if (transport.rank() == 1) return;  // it has given up on this one
      EXPECT_EQ(error.rank(), 1);
      EXPECT_NE(std::string(error.what()).find("rank 1 on"), std::string::npos) << error.what();
      EXPECT_NE(std::string(error.what()).find(text), std::string::npos) << error.what();
    }
  });
}

TEST(CodedAllReduce, ADamagedMessageIsAnErrorThatNamesTheSender) {
  expect_damage_found(0, "bytes were sent");       // the length
  expect_damage_found(9, "checksum");              // the checksum
  expect_damage_found(16, "checksum");             // the first value
  expect_damage_found(16 + 2048 * 2, "checksum");  // a later value
}

}  // namespace
}  // namespace convoy
