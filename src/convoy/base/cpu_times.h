// How busy the CPUs of this machine have been, from /proc/stat. This tells how much of the load came from other
// processes.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <vector>

namespace convoy {

// Seconds since the machine started, summed over CPUs.
struct CpuTimes {
  // Programs, in user and system mode; interrupts are left out because any program may have caused them.
  double busy = 0;
  double steal = 0;  // time in which this virtual machine wanted to run but its host ran another; 0 where the system
                     // does not report it

  bool operator==(const CpuTimes&) const = default;
};

// The sum over these CPUs. No value when the system does not list one of them, or reports only zeros, as some sandboxes
// do. Only tests pass a `root` other than "/".
[[nodiscard]] std::optional<CpuTimes> read_cpu_times(std::span<const int> cpus,
                                                     const std::filesystem::path& root = "/");

// The same for all CPUs of the machine, also those that this process may not use.
[[nodiscard]] std::optional<CpuTimes> read_machine_cpu_times(const std::filesystem::path& root = "/");

// The CPUs this process may run on.
[[nodiscard]] std::vector<int> allowed_cpu_ids();

// How many physical cores these CPUs belong to.
[[nodiscard]] int count_cores(std::span<const int> cpus, const std::filesystem::path& root = "/");

}  // namespace convoy
