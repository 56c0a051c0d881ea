#include "convoy/cli/command/doctor/host_checkup.h"

#include <fmt/format.h>

#include <array>
#include <map>
#include <nlohmann/json.hpp>

#include "convoy/cli/command/doctor/checkup.h"

namespace convoy::cli {
namespace {

// The commonest value; the earliest of those that are equally common.
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

}  // namespace convoy::cli
