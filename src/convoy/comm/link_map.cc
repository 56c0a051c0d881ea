#include "convoy/comm/link_map.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "convoy/base/clock.h"
#include "convoy/base/statistics.h"

namespace convoy {
namespace {

constexpr int kLongMessages = 3;

// A measurement between two ranks: `first` sends and measures, `second` answers.
class Pair {
 public:
  Pair(Transport& transport, int first, int second, const LinkMeasurement& measurement)
      : transport_(transport), first_(first), second_(second), measurement_(measurement) {}

  // Called on `first`.
  [[nodiscard]] Link measure() {
    std::array<std::byte, 1> byte{};
    std::vector<double> short_times;
    for (int i = 0; i < measurement_.short_messages; ++i) {
      short_times.push_back(there_and_back(byte, byte));
    }
    std::vector<std::byte> bytes(measurement_.long_message_bytes);
    std::vector<double> long_times;
    for (int i = 0; i < kLongMessages; ++i) {
      long_times.push_back(there_and_back(bytes, byte));
    }
    // The shortest of the long times, because only disturbances make one longer. The latency of the answer is
    // subtracted.
    const double latency = median(short_times) / 2;
    const double longest = std::max(*std::ranges::min_element(long_times) - latency, 1e-9);
    return {.bytes_per_second = static_cast<double>(bytes.size()) / longest, .latency_seconds = latency};
  }

  // Called on `second`.
  void answer() {
    std::array<std::byte, 1> byte{};
    for (int i = 0; i < measurement_.short_messages; ++i) {
      transport_.receive(first_, byte);
      transport_.send(first_, std::span<const std::byte>(byte));
    }
    std::vector<std::byte> bytes(measurement_.long_message_bytes);
    for (int i = 0; i < kLongMessages; ++i) {
      transport_.receive(first_, std::span(bytes));
      transport_.send(first_, std::span<const std::byte>(byte));
    }
  }

 private:
  [[nodiscard]] double there_and_back(std::span<const std::byte> out, std::span<std::byte> answer) {
    const Clock::time_point begin = Clock::now();
    transport_.send(second_, out);
    transport_.receive(second_, answer);
    return seconds_since(begin);
  }

  Transport& transport_;
  int first_;
  int second_;
  LinkMeasurement measurement_;
};

// Sends the result from `first` to rank 0, which needs no message when it measured itself.
void report(Transport& transport, int first, Link& link) {
  const std::span<Link> whole(&link, 1);
  if (first == 0) return;
  if (transport.rank() == first) transport.send(0, std::as_bytes(whole));
  if (transport.rank() == 0) transport.receive(first, std::as_writable_bytes(whole));
}

}  // namespace

LinkMap measure_links(Transport& transport, const LinkMeasurement& measurement) {
  const std::vector<int> leaders = transport.nodes().leaders();
  LinkMap map{.hosts = {}, .links = std::vector<Link>(leaders.size() * leaders.size())};
  for (const int leader : leaders) {
    map.hosts.push_back(transport.nodes().host_of(leader));
  }
  for (std::size_t from = 0; from < leaders.size(); ++from) {
    for (std::size_t to = 0; to < leaders.size(); ++to) {
      if (from == to) continue;
      Link& link = map.links[from * leaders.size() + to];
      Pair pair(transport, leaders[from], leaders[to], measurement);
      transport.barrier();
      if (transport.rank() == leaders[from]) link = pair.measure();
      if (transport.rank() == leaders[to]) pair.answer();
      report(transport, leaders[from], link);
    }
  }
  transport.barrier();
  return transport.rank() == 0 ? map : LinkMap{};
}

}  // namespace convoy
