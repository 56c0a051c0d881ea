// What the CPUs of this machine have done, by /proc/stat: how much of it was others' work can be told from that.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <vector>

namespace convoy {

// Seconds since the machine started, summed over CPUs.
struct CpuTimes {
  double busy = 0;   // programs, in user and system mode; interrupts, which serve whoever, are left out
  double steal = 0;  // wanted by this machine, but the host ran another; 0 where the system does not tell

  bool operator==(const CpuTimes&) const = default;
};

// Of these CPUs. Nothing when the system does not tell one of them, or tells nothing but zeros, as some sandboxes do.
// `root` is "/" but in tests.
[[nodiscard]] std::optional<CpuTimes> read_cpu_times(std::span<const int> cpus,
                                                     const std::filesystem::path& root = "/");

// Of all CPUs of the machine, whoever may use them. Nothing likewise.
[[nodiscard]] std::optional<CpuTimes> read_machine_cpu_times(const std::filesystem::path& root = "/");

// The CPUs this process may run on.
[[nodiscard]] std::vector<int> allowed_cpu_ids();

// Physical cores among these CPUs.
[[nodiscard]] int count_cores(std::span<const int> cpus, const std::filesystem::path& root = "/");

}  // namespace convoy
