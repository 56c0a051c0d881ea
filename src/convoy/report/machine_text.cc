#include "convoy/report/machine_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "convoy/report/words.h"

namespace convoy::report {
namespace {

bool tells_threads(const RunInfo* run) {
  return std::ranges::all_of(run->hosts, [](const HostInfo& host) { return host.hardware_threads > 0; });
}

}  // namespace

std::string machine_text(const HostInfo& host) {
  if (host.hardware_threads == 0) return host.cpu_model;
  return fmt::format("{}, {}", host.cpu_model, count_text(host.hardware_threads, "hardware threads"));
}

std::vector<std::string> machine_texts(std::span<const RunInfo* const> runs) {
  const bool with_threads = std::ranges::all_of(runs, tells_threads);
  std::vector<std::string> texts;
  for (const RunInfo* const run : runs) {
    std::set<std::string> kinds;
    for (const HostInfo& host : run->hosts) kinds.insert(with_threads ? machine_text(host) : host.cpu_model);
    texts.push_back(fmt::format("{}", fmt::join(kinds, " and ")));
  }
  return texts;
}

}  // namespace convoy::report
