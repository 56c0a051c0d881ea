// The limits that Linux control groups (containers, batch systems) put on this process, versions 1 and 2.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace convoy {

struct CgroupLimits {
  std::optional<double> cpus;                // how many CPUs' worth of time it may use; no value when unlimited
  std::optional<std::int64_t> memory_bytes;  // the smallest limit of the group and those above it
  // How much more can be allocated; caches that can be dropped do not count as used.
  std::optional<std::int64_t> memory_left_bytes;
};

// Reads <root>/proc/self/cgroup and <root>/sys/fs/cgroup. What cannot be read counts as unlimited. Only tests pass a
// `root` other than "/".
[[nodiscard]] CgroupLimits read_cgroup_limits(const std::filesystem::path& root = "/");

}  // namespace convoy
