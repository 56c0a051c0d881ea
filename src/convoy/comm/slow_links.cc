#include "convoy/comm/slow_links.h"

#include <fmt/format.h>

#include <algorithm>

#include "convoy/base/statistics.h"

namespace convoy {
namespace {

constexpr double kSlowShare = 0.6;
constexpr double kLateTimes = 3;
// Differences of latency below this come from the machines and not from the network.
constexpr double kLeastLatency = 50e-6;

// One property, such as bandwidth, of all links: its usual value and which links are bad.
struct Judgement {
  double usual = 0;
  std::vector<bool> bad;  // in the order of LinkMap::links
};

// `usual` says which quantile of the values counts as the usual one.
template <typename IsBad>
Judgement judge(const LinkMap& map, double Link::*value, double usual, IsBad is_bad) {
  std::vector<double> values;
  const std::size_t hosts = map.hosts.size();
  for (std::size_t i = 0; i < map.links.size(); ++i) {
    if (i / hosts != i % hosts) values.push_back(map.links[i].*value);
  }
  Judgement judgement{.usual = quantile(values, usual), .bad = std::vector<bool>(map.links.size())};
  for (std::size_t i = 0; i < map.links.size(); ++i) {
    judgement.bad[i] = i / hosts != i % hosts && is_bad(map.links[i].*value, judgement.usual);
  }
  return judgement;
}

// The links to and from a host.
struct Count {
  std::size_t bad = 0;
  std::size_t all = 0;
};

Count links_of(const LinkMap& map, const Judgement& judgement, std::size_t host) {
  Count count;
  for (std::size_t other = 0; other < map.hosts.size(); ++other) {
    if (other == host) continue;
    for (const std::size_t i : {host * map.hosts.size() + other, other * map.hosts.size() + host}) {
      ++count.all;
      if (judgement.bad[i]) ++count.bad;
    }
  }
  return count;
}

std::vector<bool> bad_hosts(const LinkMap& map, const Judgement& judgement) {
  std::vector<bool> bad(map.hosts.size());
  for (std::size_t host = 0; host < map.hosts.size(); ++host) {
    const Count count = links_of(map, judgement, host);
    bad[host] = 2 * count.bad > count.all;
  }
  return bad;
}

double median_of_host(const LinkMap& map, std::size_t host, double Link::*value) {
  std::vector<double> values;
  for (std::size_t other = 0; other < map.hosts.size(); ++other) {
    if (other == host) continue;
    values.push_back(map.between(host, other).*value);
    values.push_back(map.between(other, host).*value);
  }
  return median(values);
}

// `text` formats a value of that property.
template <typename Text>
void describe(const LinkMap& map, const Judgement& judgement, double Link::*value, Text text,
              std::vector<std::string>& sentences) {
  const std::vector<bool> hosts = bad_hosts(map, judgement);
  for (std::size_t host = 0; host < hosts.size(); ++host) {
    if (hosts[host]) {
      sentences.push_back(fmt::format("host {} is slow: {} to and from the others, where {} is usual", map.hosts[host],
                                      text(median_of_host(map, host, value)), text(judgement.usual)));
    }
  }
  for (std::size_t i = 0; i < map.links.size(); ++i) {
    const std::size_t from = i / hosts.size();
    const std::size_t to = i % hosts.size();
    if (!judgement.bad[i] || hosts[from] || hosts[to]) continue;
    sentences.push_back(fmt::format("the link from {} to {} is slow: {}, where {} is usual", map.hosts[from],
                                    map.hosts[to], text(map.links[i].*value), text(judgement.usual)));
  }
}

std::string bandwidth_text(double bytes_per_second) { return fmt::format("{:.3g} MB/s", bytes_per_second / 1e6); }

std::string latency_text(double seconds) { return fmt::format("{:.3g} us latency", seconds * 1e6); }

}  // namespace

std::vector<std::string> slow_links(const LinkMap& map) {
  std::vector<std::string> sentences;
  if (map.hosts.size() < 3) return sentences;
  const Judgement bandwidth =
      judge(map, &Link::bytes_per_second, 0.8, [](double value, double usual) { return value < kSlowShare * usual; });
  describe(map, bandwidth, &Link::bytes_per_second, bandwidth_text, sentences);
  const Judgement latency = judge(map, &Link::latency_seconds, 0.2, [](double value, double usual) {
    return value > kLateTimes * std::max(usual, kLeastLatency);
  });
  describe(map, latency, &Link::latency_seconds, latency_text, sentences);
  return sentences;
}

}  // namespace convoy
