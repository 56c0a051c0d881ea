#include "convoy/base/cpu_times.h"

#include <fmt/core.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

namespace convoy {

namespace {

namespace fs = std::filesystem;

// The columns of a line "cpu3 user nice system idle iowait irq softirq steal ...". The time of virtual machines that
// run here is part of user and nice.
enum Field : std::size_t { user, nice, system, idle, iowait, irq, softirq, steal, columns };

constexpr int kAllCpus = -1;

struct Line {
  int cpu = kAllCpus;
  std::array<double, columns> ticks{};
};

// No value for lines about other things than CPUs.
std::optional<Line> parse_line(const std::string& text) {
  std::istringstream words(text);
  std::string name;
  if (!(words >> name) || !name.starts_with("cpu")) return std::nullopt;
  Line line;
  if (name.size() > 3 && !(std::istringstream(name.substr(3)) >> line.cpu)) return std::nullopt;
  for (double& ticks : line.ticks) {
    if (!(words >> ticks)) ticks = 0;  // old kernels have fewer columns
  }
  return line;
}

double sum_of(const Line& line) {
  double sum = 0;
  for (const double ticks : line.ticks) sum += ticks;
  return sum;
}

}  // namespace

std::optional<CpuTimes> read_cpu_times(std::span<const int> cpus, const fs::path& root) {
  const auto ticks_per_second = static_cast<double>(std::max(1L, sysconf(_SC_CLK_TCK)));
  std::ifstream file(root / "proc/stat");
  CpuTimes times;
  double all = 0;
  std::size_t found = 0;
  for (std::string text; found < cpus.size() && std::getline(file, text);) {
    const auto line = parse_line(text);
    if (!line || std::ranges::find(cpus, line->cpu) == cpus.end()) continue;
    ++found;
    all += sum_of(*line);
    times.busy += (line->ticks[user] + line->ticks[nice] + line->ticks[system]) / ticks_per_second;
    times.steal += line->ticks[steal] / ticks_per_second;
  }
  if (found < cpus.size() || all == 0) return std::nullopt;
  return times;
}

std::optional<CpuTimes> read_machine_cpu_times(const fs::path& root) {
  return read_cpu_times(std::array{kAllCpus}, root);
}

std::vector<int> allowed_cpu_ids() {
  // The mask grows until all CPUs of the machine fit: a plain cpu_set_t holds only 1024.
  for (int capacity = 1024; capacity <= 1 << 20; capacity *= 2) {
    cpu_set_t* const set = CPU_ALLOC(static_cast<std::size_t>(capacity));
    const std::size_t bytes = CPU_ALLOC_SIZE(static_cast<std::size_t>(capacity));
    const bool known = set != nullptr && sched_getaffinity(0, bytes, set) == 0;
    std::vector<int> ids;
    for (int cpu = 0; known && cpu < capacity; ++cpu) {
      if (CPU_ISSET_S(static_cast<std::size_t>(cpu), bytes, set)) {
        ids.push_back(cpu);
      }
    }
    CPU_FREE(set);
    if (!ids.empty()) {
      return ids;
    }
  }
  return {0};
}

// Hardware threads of one core have the same list of siblings. A CPU without such a list counts as a core.
int count_cores(std::span<const int> cpus, const fs::path& root) {
  std::set<std::string> cores;
  for (const int cpu : cpus) {
    std::ifstream file(root / fmt::format("sys/devices/system/cpu/cpu{}/topology/thread_siblings_list", cpu));
    std::string siblings;
    cores.insert(std::getline(file, siblings) ? siblings : fmt::format("cpu{}", cpu));
  }
  return static_cast<int>(cores.size());
}

}  // namespace convoy
