// What this process has to work with: the processor, and the CPUs and memory it may really use, given its affinity mask
// and the limits of its container.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <string>

namespace convoy {

struct Machine {
  std::string cpu_model;            // "unknown" when the system does not say
  std::set<std::string> cpu_flags;  // as in /proc/cpuinfo: "avx2", "avx512f"
  int online_cpus = 1;              // hardware threads of the machine
  int allowed_cpus = 1;             // hardware threads in the affinity mask
  int allowed_cores = 1;            // physical cores among them
  std::optional<double> cpu_quota;  // the container's limit in CPUs
  int usable_cores = 1;             // physical cores a run can keep busy: allowed_cores, but no more than the quota
  std::int64_t memory_bytes = 0;    // of the machine, or the container's limit if that is lower; 0 when unknown
  std::int64_t available_memory_bytes = 0;
  double load_average = 0;  // over the last minute
};

// Only tests pass a `root` other than "/"; the affinity mask is always that of this process.
[[nodiscard]] Machine read_machine(const std::filesystem::path& root = "/");

// The network name of this machine as the system knows it, with or without its domain; "localhost" when it has none.
[[nodiscard]] std::string host_name();

// The most memory this process has held at once, in bytes; 0 when the system does not say.
[[nodiscard]] std::int64_t peak_resident_bytes();

}  // namespace convoy
