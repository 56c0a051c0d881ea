// The timelines of all ranks as a Chrome trace, for chrome://tracing or Perfetto.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "convoy/base/timeline.h"

namespace convoy {

inline constexpr const char* kTraceFile = "trace.json";

// One rank's events as text, to be sent to the rank that writes the file.
[[nodiscard]] std::string trace_events(int rank, const std::string& host, std::span<const TimelineEvent> events);

// Writes a trace from the trace_events() of all ranks: ranks appear as processes and lanes as threads. Throws
// SystemError.
void write_trace(const std::filesystem::path& file, const std::vector<std::string>& ranks);

}  // namespace convoy
