// The limits that Linux control groups (containers, batch systems) put on this process, versions 1 and 2.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace convoy {

struct CgroupLimits {
  std::optional<double> cpus;                     // CPU time per time; nothing when unlimited
  std::optional<std::int64_t> memory_bytes;       // the smallest limit of the group and those above it
  std::optional<std::int64_t> memory_left_bytes;  // how much more fits, caches that can be dropped not counted as used
};

// Reads <root>/proc/self/cgroup and <root>/sys/fs/cgroup; what cannot be read is unlimited. `root` is "/" but in tests.
[[nodiscard]] CgroupLimits read_cgroup_limits(const std::filesystem::path& root = "/");

}  // namespace convoy
