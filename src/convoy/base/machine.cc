#include "convoy/base/machine.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <sstream>
#include <vector>

#include "convoy/base/cgroup.h"
#include "convoy/base/cpu_times.h"

namespace convoy {

namespace {

namespace fs = std::filesystem;

// The text after "key<blanks>:" in the first such line of a file like /proc/cpuinfo.
std::optional<std::string> colon_field(const fs::path& path, const std::string& key) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(':');
    const std::size_t key_end = line.find_last_not_of(" \t", colon == 0 ? 0 : colon - 1);
    if (colon == std::string::npos || line.substr(0, key_end + 1) != key) {
      continue;
    }
    const std::size_t begin = line.find_first_not_of(" \t", colon + 1);
    return begin == std::string::npos ? "" : line.substr(begin);
  }
  return std::nullopt;
}

// "MemTotal:  16315368 kB" -> bytes
std::int64_t kilobyte_field(const fs::path& path, const std::string& key) {
  std::istringstream text(colon_field(path, key).value_or(""));
  std::int64_t kilobytes = 0;
  return text >> kilobytes ? kilobytes * 1024 : 0;
}

void read_processor(const fs::path& root, Machine& machine) {
  const fs::path cpuinfo = root / "proc/cpuinfo";
  machine.cpu_model = colon_field(cpuinfo, "model name").value_or("unknown");
  std::istringstream flags(colon_field(cpuinfo, "flags").value_or(""));
  for (std::string flag; flags >> flag;) {
    machine.cpu_flags.insert(flag);
  }
  std::ifstream(root / "proc/loadavg") >> machine.load_average;
}

void read_cpus(const fs::path& root, const CgroupLimits& limits, Machine& machine) {
  const std::vector<int> cpus = allowed_cpu_ids();
  machine.online_cpus = static_cast<int>(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN)));
  machine.allowed_cpus = static_cast<int>(cpus.size());
  machine.allowed_cores = count_cores(cpus, root);
  machine.cpu_quota = limits.cpus;
  // Rounded down: a thread that the quota stops for part of each period would hold up all others.
  const int quota = limits.cpus ? std::max(1, static_cast<int>(std::min(*limits.cpus, 1e6))) : machine.allowed_cores;
  machine.usable_cores = std::min(machine.allowed_cores, quota);
}

void read_memory(const fs::path& root, const CgroupLimits& limits, Machine& machine) {
  const fs::path meminfo = root / "proc/meminfo";
  machine.memory_bytes = kilobyte_field(meminfo, "MemTotal");
  machine.available_memory_bytes = kilobyte_field(meminfo, "MemAvailable");
  machine.memory_bytes = std::min(machine.memory_bytes, limits.memory_bytes.value_or(machine.memory_bytes));
  machine.available_memory_bytes =
      std::min(machine.available_memory_bytes, limits.memory_left_bytes.value_or(machine.available_memory_bytes));
}

}  // namespace

Machine read_machine(const fs::path& root) {
  const CgroupLimits limits = read_cgroup_limits(root);
  Machine machine;
  read_processor(root, machine);
  read_cpus(root, limits, machine);
  read_memory(root, limits, machine);
  return machine;
}

std::string host_name() {
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "localhost";
}

std::int64_t peak_resident_bytes() {
  // Not getrusage(), whose maximum is inherited from the process that started this one.
  return kilobyte_field("/proc/self/status", "VmHWM");
}

}  // namespace convoy
