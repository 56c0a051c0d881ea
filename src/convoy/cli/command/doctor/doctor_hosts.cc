#include "convoy/cli/command/doctor/doctor_hosts.h"

#include <fmt/core.h>

#include <chrono>
#include <nlohmann/json.hpp>

#include "convoy/base/text_table.h"
#include "convoy/cli/command/doctor/host_checkup.h"
#include "convoy/cli/launch/hosts.h"
#include "convoy/cli/launch/launch.h"
#include "convoy/cli/launch/rank_environment.h"
#include "convoy/cli/launch/world.h"
#include "convoy/cli/terminal/exit_code.h"
#include "convoy/cli/terminal/standard_streams.h"
#include "convoy/comm/communicator.h"
#include "convoy/comm/link_map.h"
#include "convoy/comm/slow_links.h"

namespace convoy::cli {
namespace {

constexpr auto kJoinDeadline = std::chrono::seconds(60);

struct Findings {
  std::vector<HostCheckup> hosts;
  LinkMap links;
  std::vector<std::string> problems;
};

// Collective; of meaning on rank 0.
Findings find(World& world) {
  Communicator communicator(world.transport());
  const std::string& own = world.transport().nodes().host_of(world.rank());
  Findings findings;
  for (const std::string& text : communicator.gather(to_text(examine_host(own)))) {
    findings.hosts.push_back(host_checkup_from(text));
  }
  findings.links = measure_links(world.transport());
  findings.problems = problems_of(findings.hosts);
  if (!world.is_first()) return findings;
  for (const std::string& slow : slow_links(findings.links)) findings.problems.push_back(slow);
  return findings;
}

void print_links(const LinkMap& map) {
  TextTable table({"from", "to", "MB/s", "latency us"});
  for (std::size_t from = 0; from < map.hosts.size(); ++from) {
    for (std::size_t to = 0; to < map.hosts.size(); ++to) {
      if (from == to) continue;
      const Link& link = map.between(from, to);
      table.add_row({map.hosts[from], map.hosts[to], fmt::format("{:.1f}", link.bytes_per_second / 1e6),
                     fmt::format("{:.0f}", link.latency_seconds * 1e6)});
    }
  }
  fmt::print("\n{}", table.to_string());
}

void print_text(const Findings& findings) {
  TextTable table({"host", "convoy", "kernels", "instructions", "cores", "processor"});
  for (const HostCheckup& host : findings.hosts) {
    table.add_row(
        {host.host, host.version, host.kernels, host.isa, fmt::format("{}", host.usable_cores), host.processor});
  }
  fmt::print("{}", table.to_string());
  if (findings.links.hosts.size() > 1) print_links(findings.links);
  fmt::print("\n{}\n", findings.problems.empty() ? "Nothing is wrong." : "What is wrong:");
  for (const std::string& problem : findings.problems) fmt::print("- {}\n", problem);
}

void print_json(const Findings& findings) {
  using Json = nlohmann::ordered_json;
  Json hosts = Json::array();
  for (const HostCheckup& host : findings.hosts) hosts.push_back(Json::parse(to_text(host)));
  Json links = Json::array();
  const LinkMap& map = findings.links;
  for (std::size_t from = 0; from < map.hosts.size(); ++from) {
    for (std::size_t to = 0; to < map.hosts.size(); ++to) {
      if (from == to) continue;
      links.push_back({{"from", map.hosts[from]},
                       {"to", map.hosts[to]},
                       {"bytes_per_second", map.between(from, to).bytes_per_second},
                       {"latency_seconds", map.between(from, to).latency_seconds}});
    }
  }
  fmt::print("{}\n", Json{{"hosts", hosts}, {"links", links}, {"problems", findings.problems}}.dump(2));
}

void examine_as_rank(bool as_json) {
  in_world(kJoinDeadline, [&](World& world) {
    const Findings findings = find(world);
    if (world.is_first()) as_json ? print_json(findings) : print_text(findings);
  });
}

// After a start on all hosts has failed: each by itself.
void name_unreachable(const std::vector<Host>& hosts) {
  for (const Host& host : hosts) {
    const bool reached = can_start_on(host.name);
    say("{}: {}\n", host.name,
        reached ? "can be reached, and starts Convoy"
                : "cannot be reached, or does not start Convoy: `ssh HOST` must work without a password, and "
                  "the program must be there under the same path");
  }
}

}  // namespace

void examine_hosts(const std::string& hosts, bool as_json) {
  if (started_as_rank()) return examine_as_rank(as_json);
  std::vector<Host> list = read_hosts(hosts);
  std::string one_on_each;
  for (const Host& host : list) one_on_each += fmt::format("{}{}:1", one_on_each.empty() ? "" : ",", host.name);
  try {
    launch_quietly({.workers = {}, .hosts = one_on_each});
  } catch (const RanksFailed& failed) {
    if (failed.exit_code == kPeerLost) name_unreachable(list);
    throw;
  }
}

}  // namespace convoy::cli
