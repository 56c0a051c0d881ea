#include "convoy/cli/command/doctor/host_checkup.h"

#include <fmt/core.h>
#include <fmt/format.h>

#include <array>
#include <chrono>
#include <map>
#include <nlohmann/json.hpp>

#include "convoy/base/text_table.h"
#include "convoy/cli/command/doctor/checkup.h"
#include "convoy/cli/launch/hosts.h"
#include "convoy/cli/launch/launch.h"
#include "convoy/cli/launch/rank_environment.h"
#include "convoy/cli/launch/world.h"
#include "convoy/cli/terminal/terminal.h"
#include "convoy/comm/communicator.h"
#include "convoy/comm/link_map.h"
#include "convoy/comm/slow_links.h"

namespace convoy::cli {
namespace {

// The most frequent value; the earliest one if several are equally frequent.
template <typename Value>
Value usual(const std::vector<HostCheckup>& hosts, Value HostCheckup::*field) {
  std::map<Value, int> counts;
  for (const HostCheckup& host : hosts) ++counts[host.*field];
  const HostCheckup* best = &hosts.front();
  for (const HostCheckup& host : hosts) {
    if (counts[host.*field] > counts[best->*field]) best = &host;
  }
  return best->*field;
}

struct Difference {
  std::string HostCheckup::*field;
  const char* what;
  const char* advice;
};

constexpr std::array kDifferences = {
    Difference{&HostCheckup::version, "Convoy", "install the same on all hosts"},
    Difference{&HostCheckup::kernels, "kernels", "install the same packages on all hosts"},
    Difference{&HostCheckup::isa, "instructions", "gradients would lie differently in memory; leave the host out"},
};

void add_differences(const std::vector<HostCheckup>& hosts, std::vector<std::string>& problems) {
  for (const Difference& difference : kDifferences) {
    const std::string common = usual(hosts, difference.field);
    for (const HostCheckup& host : hosts) {
      if (host.*difference.field == common) continue;
      problems.push_back(fmt::format("{}: {} {} where others have {}: {}", host.host, difference.what,
                                     host.*difference.field, common, difference.advice));
    }
  }
  const int cores = usual(hosts, &HostCheckup::usable_cores);
  for (const HostCheckup& host : hosts) {
    if (host.usable_cores >= cores) continue;
    problems.push_back(
        fmt::format("{}: {} usable cores where others have {}: all would wait for it; give it fewer "
                    "workers",
                    host.host, host.usable_cores, cores));
  }
}

}  // namespace

HostCheckup examine_host(const std::string& host) {
  const Checkup checkup = examine();
  return {.host = host,
          .version = fmt::format("{} ({})", checkup.build.version, checkup.build.git_id),
          .kernels = fmt::format("{} {}", checkup.backend.library, checkup.backend.version),
          .isa = checkup.backend.isa,
          .processor = checkup.machine.cpu_model,
          .usable_cores = checkup.machine.usable_cores,
          .problems = problems_of(checkup)};
}

std::string to_text(const HostCheckup& checkup) {
  return nlohmann::json{{"host", checkup.host},           {"version", checkup.version},
                        {"kernels", checkup.kernels},     {"isa", checkup.isa},
                        {"processor", checkup.processor}, {"usable_cores", checkup.usable_cores},
                        {"problems", checkup.problems}}
      .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

HostCheckup host_checkup_from(const std::string& text) {
  const nlohmann::json json = nlohmann::json::parse(text);
  return {.host = json.at("host"),
          .version = json.at("version"),
          .kernels = json.at("kernels"),
          .isa = json.at("isa"),
          .processor = json.at("processor"),
          .usable_cores = json.at("usable_cores"),
          .problems = json.at("problems")};
}

std::vector<std::string> problems_of(const std::vector<HostCheckup>& hosts) {
  std::vector<std::string> problems;
  if (hosts.empty()) return problems;
  add_differences(hosts, problems);
  for (const HostCheckup& host : hosts) {
    for (const std::string& problem : host.problems) problems.push_back(fmt::format("{}: {}", host.host, problem));
  }
  return problems;
}

namespace {

constexpr auto kJoinDeadline = std::chrono::seconds(60);

struct Findings {
  std::vector<HostCheckup> hosts;
  LinkMap links;
  std::vector<std::string> problems;
};

// Collective; the result is meaningful only on rank 0.
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

// Called after starting on all hosts together has failed: tries each host by itself.
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
