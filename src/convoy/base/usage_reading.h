// What this process, and the machine around it, have used so far. Costs some system calls: cheap enough for every
// second.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "convoy/base/clock.h"

namespace convoy {

// Bytes since the machine started, over all network interfaces but the loopback. What passes a bridge is counted by
// each interface on its way.
struct NetworkBytes {
  double received = 0;
  double sent = 0;

  bool operator==(const NetworkBytes&) const = default;
};

// Nothing when the system does not tell. `root` is "/" but in tests.
[[nodiscard]] std::optional<NetworkBytes> read_network_bytes(const std::filesystem::path& root = "/");

// Memory this process holds now; 0 when the system does not tell.
[[nodiscard]] std::int64_t resident_bytes(const std::filesystem::path& root = "/");

struct UsageReading {
  Clock::time_point at;
  double cpu_seconds = 0;  // of this process
  std::int64_t resident_bytes = 0;
  // Of the whole machine; absent where nobody asked or the system does not tell.
  std::optional<double> machine_cpu_seconds = {};
  std::optional<NetworkBytes> network = {};
};

[[nodiscard]] UsageReading read_usage(bool with_machine);

}  // namespace convoy
