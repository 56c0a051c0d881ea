// The timelines of all ranks as a Chrome trace, for chrome://tracing or Perfetto.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "convoy/base/timeline.h"

namespace convoy {

inline constexpr const char* kTraceFile = "trace.json";

// One rank's events as text, to be sent to the rank that writes.
[[nodiscard]] std::string trace_events(int rank, const std::string& host, std::span<const TimelineEvent> events);

// A trace of what trace_events() made of each rank: a process is a rank, its threads are lanes. Throws SystemError.
void write_trace(const std::filesystem::path& file, const std::vector<std::string>& ranks);

}  // namespace convoy
