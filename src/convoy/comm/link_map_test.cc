#include "convoy/comm/link_map.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "convoy/comm/slow_links.h"
#include "convoy/comm/thread/thread_world.h"

namespace convoy {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(LinkMap, MeasuresEachPairOfHosts) {
  run_as_threads({.ranks = 5, .node_of_rank = {7, 7, 3, 5, 3}}, [](Transport& transport) {
    const LinkMap map = measure_links(transport, {.long_message_bytes = 10000, .short_messages = 3});
    if (transport.rank() != 0) {
      EXPECT_THAT(map.hosts, IsEmpty());
      return;
    }
    EXPECT_THAT(map.hosts, ElementsAre("node 7", "node 3", "node 5"));
    for (std::size_t from = 0; from < 3; ++from) {
      for (std::size_t to = 0; to < 3; ++to) {
        if (from == to) continue;
        EXPECT_GT(map.between(from, to).bytes_per_second, 0) << from << " to " << to;
        EXPECT_GT(map.between(from, to).latency_seconds, 0) << from << " to " << to;
      }
    }
  });
}

TEST(LinkMap, OfOneHostHasNoLinks) {
  run_as_threads({.ranks = 2}, [](Transport& transport) {
    const LinkMap map = measure_links(transport);
    EXPECT_EQ(map.links.size(), transport.rank() == 0 ? 1U : 0U);
    EXPECT_THAT(slow_links(map), IsEmpty());
  });
}

LinkMap even_map(std::vector<std::string> hosts) {
  LinkMap map{.hosts = std::move(hosts), .links = {}};
  map.links.assign(map.hosts.size() * map.hosts.size(), {.bytes_per_second = 118e6, .latency_seconds = 60e-6});
  return map;
}

Link& link(LinkMap& map, std::size_t from, std::size_t to) { return map.links[from * map.hosts.size() + to]; }

TEST(SlowLinks, AreNoneWhereAllAreAlike) {
  LinkMap map = even_map({"anna", "berta", "clara"});
  link(map, 0, 1).bytes_per_second = 100e6;
  link(map, 1, 2).latency_seconds = 100e-6;
  EXPECT_THAT(slow_links(map), IsEmpty());
}

TEST(SlowLinks, OfOneHostNameTheHost) {
  for (const std::size_t hosts : {3U, 4U}) {
    LinkMap map = even_map(hosts == 3 ? std::vector<std::string>{"anna", "berta", "clara"}
                                      : std::vector<std::string>{"anna", "berta", "clara", "dora"});
    for (std::size_t other = 0; other < hosts; ++other) {
      link(map, 1, other).bytes_per_second = 11.8e6;
      link(map, other, 1).bytes_per_second = 11.8e6;
    }
    EXPECT_THAT(slow_links(map), ElementsAre(AllOf(HasSubstr("host berta is slow"), HasSubstr("11.8 MB/s"),
                                                   HasSubstr("118 MB/s is usual"))));
  }
}

TEST(SlowLinks, OfOneDirectionNameTheLink) {
  LinkMap map = even_map({"anna", "berta", "clara"});
  link(map, 2, 0).bytes_per_second = 50e6;
  EXPECT_THAT(slow_links(map), ElementsAre(HasSubstr("the link from clara to anna is slow: 50 MB/s")));
}

TEST(SlowLinks, MayBeLateAndNotNarrow) {
  LinkMap map = even_map({"anna", "berta", "clara"});
  for (std::size_t other = 0; other < 3; ++other) {
    link(map, 2, other).latency_seconds = 900e-6;
    link(map, other, 2).latency_seconds = 900e-6;
  }
  EXPECT_THAT(slow_links(map), ElementsAre(AllOf(HasSubstr("host clara"), HasSubstr("900 us latency"))));
}

}  // namespace
}  // namespace convoy
