#include "convoy/base/cgroup.h"

#include <algorithm>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

namespace convoy {

namespace {

namespace fs = std::filesystem;

// The folders that hold a controller's limits for this process: its own group first, then each group above it, up to
// the mount point. Inside a container the inner folders may not be visible; reading them then finds no limit, which is
// right.
std::vector<fs::path> group_folders(const fs::path& mount, const std::string& group) {
  std::vector<fs::path> folders;
  for (fs::path inner = fs::path(group).relative_path(); !inner.empty(); inner = inner.parent_path()) {
    folders.push_back(mount / inner);
  }
  folders.push_back(mount);
  return folders;
}

// The path of this process's group under a version 1 controller, or under version 2 when the name is empty. The file
// has lines like "4:memory:/path" and "0::/path".
std::optional<std::string> group_of(const fs::path& root, const std::string& controller) {
  std::ifstream file(root / "proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) {
      continue;
    }
    std::istringstream names(line.substr(first + 1, second - first - 1));
    for (std::string name; std::getline(names, name, ',');) {
      if (name == controller) {
        return line.substr(second + 1);
      }
    }
    if (controller.empty() && second == first + 1) {
      return line.substr(second + 1);
    }
  }
  return std::nullopt;
}

std::optional<double> read_number(const fs::path& path) {
  std::ifstream file(path);
  double number = 0;
  return file >> number ? std::optional(number) : std::nullopt;
}

// The number after `key` in a file of "key number" lines.
double read_field(const fs::path& path, const std::string& key) {
  std::ifstream file(path);
  std::string name;
  for (double number = 0; file >> name >> number;) {
    if (name == key) {
      return number;
    }
  }
  return 0;
}

template <typename T>
void keep_smaller(std::optional<T>& least, T value) {
  least = least ? std::min(*least, value) : value;
}

// Version 1 writes "no limit" as nearly 2^63, version 2 as "max", which does not parse as a number.
constexpr double kNoLimitBytes = 0x1p62;

struct MemoryFiles {
  const char* limit;
  const char* used;
  const char* droppable;  // how much of `used` is cache that can be dropped: a field of memory.stat
};

void read_memory(const std::vector<fs::path>& folders, const MemoryFiles& files, CgroupLimits& limits) {
  for (const fs::path& folder : folders) {
    const std::optional<double> limit = read_number(folder / files.limit);
    if (!limit || *limit >= kNoLimitBytes) {
      continue;
    }
    const double used =
        read_number(folder / files.used).value_or(0) - read_field(folder / "memory.stat", files.droppable);
    keep_smaller(limits.memory_bytes, static_cast<std::int64_t>(*limit));
    keep_smaller(limits.memory_left_bytes, static_cast<std::int64_t>(std::clamp(*limit - used, 0.0, *limit)));
  }
}

void read_cpu_v1(const std::vector<fs::path>& folders, CgroupLimits& limits) {
  for (const fs::path& folder : folders) {
    const double quota = read_number(folder / "cpu.cfs_quota_us").value_or(-1);
    const double period = read_number(folder / "cpu.cfs_period_us").value_or(0);
    if (quota > 0 && period > 0) {
      keep_smaller(limits.cpus, quota / period);
    }
  }
}

void read_cpu_v2(const std::vector<fs::path>& folders, CgroupLimits& limits) {
  for (const fs::path& folder : folders) {
    std::ifstream file(folder / "cpu.max");
    double quota = 0;
    double period = 0;
    if (file >> quota >> period && period > 0) {
      keep_smaller(limits.cpus, quota / period);
    }
  }
}

}  // namespace

CgroupLimits read_cgroup_limits(const fs::path& root) {
  const fs::path mount = root / "sys/fs/cgroup";
  CgroupLimits limits;
  if (const auto group = group_of(root, "memory")) {
    read_memory(group_folders(mount / "memory", *group),
                {"memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"}, limits);
  }
  if (const auto group = group_of(root, "cpu")) {
    read_cpu_v1(group_folders(mount / "cpu", *group), limits);
  }
  if (const auto group = group_of(root, "")) {
    const std::vector<fs::path> folders = group_folders(mount, *group);
    read_memory(folders, {"memory.max", "memory.current", "inactive_file"}, limits);
    read_cpu_v2(folders, limits);
  }
  return limits;
}

}  // namespace convoy
