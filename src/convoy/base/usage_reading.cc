#include "convoy/base/usage_reading.h"

#include <unistd.h>

#include <fstream>
#include <sstream>
#include <string>

#include "convoy/base/cpu_times.h"

namespace convoy {

namespace fs = std::filesystem;

// The file has two lines of headings, then "  eth0: bytes packets errs drop fifo frame compressed multicast bytes
// packets ...": eight columns about what was received, then those about what was sent.
std::optional<NetworkBytes> read_network_bytes(const fs::path& root) {
  constexpr int kColumnsReceived = 8;
  std::ifstream file(root / "proc/net/dev");
  std::optional<NetworkBytes> sum;
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos) continue;
    std::istringstream columns(line.substr(colon + 1));
    NetworkBytes bytes;
    columns >> bytes.received;
    double other = 0;
    for (int column = 1; column < kColumnsReceived; ++column) columns >> other;
    if (!(columns >> bytes.sent)) continue;
    if (!sum) sum.emplace();
    const std::size_t name = line.find_first_not_of(' ');
    if (line.substr(name, colon - name) == "lo") continue;
    sum->received += bytes.received;
    sum->sent += bytes.sent;
  }
  return sum;
}

std::int64_t resident_bytes(const fs::path& root) {
  std::ifstream file(root / "proc/self/statm");
  std::int64_t all_pages = 0;
  std::int64_t resident_pages = 0;
  return file >> all_pages >> resident_pages ? resident_pages * sysconf(_SC_PAGESIZE) : 0;
}

UsageReading read_usage(bool with_machine) {
  UsageReading reading{.at = Clock::now(), .cpu_seconds = process_cpu_seconds(), .resident_bytes = resident_bytes()};
  if (!with_machine) return reading;
  if (const auto times = read_machine_cpu_times()) reading.machine_cpu_seconds = times->busy;
  reading.network = read_network_bytes();
  return reading;
}

}  // namespace convoy
