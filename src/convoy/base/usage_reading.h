// What this process and its machine have used so far. Costs some system calls, cheap enough to be read every second.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "convoy/base/clock.h"

namespace convoy {

// Bytes since the machine started, over all network interfaces but the loopback. What passes through a bridge is
// counted by each interface on its way.
struct NetworkBytes {
  double received = 0;
  double sent = 0;

  bool operator==(const NetworkBytes&) const = default;
};

// No value when the system does not say. `root` differs from "/" only in tests.
[[nodiscard]] std::optional<NetworkBytes> read_network_bytes(const std::filesystem::path& root = "/");

// The memory that this process has now; 0 when the system does not say.
[[nodiscard]] std::int64_t resident_bytes(const std::filesystem::path& root = "/");

struct UsageReading {
  Clock::time_point at;
  double cpu_seconds = 0;  // of this process
  std::int64_t resident_bytes = 0;
  // Of the whole machine; absent when not asked for, or when the system does not say.
  std::optional<double> machine_cpu_seconds = {};
  std::optional<NetworkBytes> network = {};
};

[[nodiscard]] UsageReading read_usage(bool with_machine);

}  // namespace convoy
