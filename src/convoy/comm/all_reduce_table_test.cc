#include "convoy/comm/all_reduce_table.h"

#include <gtest/gtest.h>

#include <array>

#include "convoy/base/error.h"
#include "convoy/base/throws_with_test.h"

namespace convoy {
namespace {

AllReduceRow row(std::size_t bytes, double ring, double hierarchical) {
  return {.bytes = bytes,
          .times = {{.algorithm = Algorithm::ring, .seconds = ring},
                    {.algorithm = Algorithm::hierarchical, .seconds = hierarchical}}};
}

AllReduceTable table() {
  return {.topology = "here",
          .shared = {row(1024, 1e-6, 2e-6), row(65536, 4e-6, 3e-6)},
          .elsewhere = {row(1024, 2e-6, 1e-6), row(4096, 4e-6, 3e-6), row(65536, 3e-6, 5e-6)}};
}

TEST(AllReduceTable, ChoosesTheFastestAtTheNearestSize) {
  EXPECT_EQ(table().choose(0, true, Algorithm::mpi), Algorithm::ring);
  EXPECT_EQ(table().choose(1024, true, Algorithm::mpi), Algorithm::ring);
  EXPECT_EQ(table().choose(8191, true, Algorithm::mpi), Algorithm::ring);
  EXPECT_EQ(table().choose(8193, true, Algorithm::mpi), Algorithm::hierarchical);
  EXPECT_EQ(table().choose(8 * 65536, true, Algorithm::mpi), Algorithm::hierarchical);
}

TEST(AllReduceTable, TakesTheUsualForMuchLongerMessagesUnlessTheLongestWasLong) {
  EXPECT_EQ(table().choose(10 * 65536, true, Algorithm::mpi), Algorithm::mpi);
  AllReduceTable longer = table();
  longer.shared.push_back(row(4 << 20, 2e-3, 1e-3));
  EXPECT_EQ(longer.choose(1 << 30, true, Algorithm::mpi), Algorithm::hierarchical);
  EXPECT_EQ(AllReduceTable{}.choose(4, false, Algorithm::mpi), Algorithm::mpi);
}

TEST(AllReduceTable, KnowsWhereTheValuesLie) {
  EXPECT_EQ(table().choose(1024, false, Algorithm::mpi), Algorithm::hierarchical);
  EXPECT_EQ(table().choose(65536, false, Algorithm::mpi), Algorithm::ring);
}

TEST(AllReduceTable, PrefersTheUsualToChance) {
  EXPECT_EQ(row(64, 1.04, 1.0).choose(Algorithm::ring), Algorithm::ring);
  EXPECT_EQ(row(64, 1.06, 1.0).choose(Algorithm::ring), Algorithm::hierarchical);
}

TEST(AllReduceTable, GoesThroughJson) {
  const AllReduceTable copy = AllReduceTable::from_json(table().to_json());
  EXPECT_EQ(copy.topology, "here");
  EXPECT_EQ(copy.to_json(), table().to_json());
  ASSERT_EQ(copy.elsewhere.size(), 3U);
  EXPECT_EQ(copy.elsewhere[1].bytes, 4096U);
  EXPECT_EQ(copy.elsewhere[1].choose(Algorithm::mpi), Algorithm::hierarchical);
}

TEST(AllReduceTable, RefusesOtherText) {
  const std::string good = table().to_json();
  const auto replaced = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    return text.replace(text.find(from), from.size(), to);
  };
  const std::array kBad = {std::string(),
                           std::string("[]"),
                           good.substr(0, good.size() / 2),
                           replaced("\"format\":2", "\"format\":1"),
                           replaced("\"ring\"", "\"rings\""),
                           replaced("1024", "99999"),
                           replaced("1024", "\"many\"")};
  for (const std::string& text : kBad) {
    EXPECT_TRUE(throws_with<DataError>([&] { (void)AllReduceTable::from_json(text); }, "not a table")) << text;
  }
}

TEST(Topology, IsTheSameForTheSameWorldOnly) {
  const std::array kTogether = {0, 0};
  const std::array kApart = {0, 1};
  const std::string together = topology_of({kTogether, {"anna", "anna"}});
  EXPECT_EQ(together, topology_of({kTogether, {"anna", "anna"}}));
  EXPECT_NE(together, topology_of({kTogether, {"berta", "berta"}}));
  EXPECT_NE(together, topology_of({kApart, {"anna", "anna"}}));
  EXPECT_NE(topology_of({kApart, {"anna", "berta"}}), topology_of({kApart, {"berta", "anna"}}));
  EXPECT_NE(together.find("ranks 2, nodes 1"), std::string::npos);
}

TEST(AllReduceTable, TheRateIsThatOfTheLongestMessage) {
  const AllReduceTable table{
      .topology = "",
      .shared = {{.bytes = 1000, .times = {{Algorithm::ring, 1}}},
                 {.bytes = 4'000'000, .times = {{Algorithm::ring, 0.06}, {Algorithm::mpi, 0.05}}}},
      .elsewhere = {}};
  // A ring of four sends 2 * 3/4 of the bytes.
  EXPECT_DOUBLE_EQ(wire_rate(table, 4), 1.5 * 4e6 / 0.05);
  EXPECT_DOUBLE_EQ(wire_rate(std::nullopt, 4), 1.25e9);
}

}  // namespace
}  // namespace convoy
