// How a run was started, and with what: run.json.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "convoy/base/version.h"
#include "convoy/record/host_info.h"
#include "convoy/record/run_files.h"

namespace convoy {

struct RunInfo {
  int schema = kRecordSchema;
  std::vector<std::string> command_line;
  nlohmann::ordered_json configuration;  // everything that was decided, defaults included; not understood here
  std::int64_t ranks = 1;
  std::string all_reduce;  // how gradients are summed over ranks, for a reader; empty for one
  std::vector<HostInfo> hosts;
  std::map<std::string, std::string> libraries;  // "oneDNN" -> "2.6.3"
  BuildInfo build;                               // with the git id
  std::string started;                           // "2026-11-16T03:12:45Z"
  std::int64_t from_step = 0;                    // steps that were done before
  // A run may be continued: what this file said before, oldest first. Theirs are empty.
  std::vector<RunInfo> earlier_sittings;
};

// Fills in this build, this machine and now; ranks and libraries are the caller's to add.
[[nodiscard]] RunInfo describe_run(std::vector<std::string> command_line, nlohmann::ordered_json configuration);

[[nodiscard]] nlohmann::ordered_json to_json(const RunInfo& info);

// Throws DataError naming the field that is missing or wrong, UserError for a schema newer than known.
[[nodiscard]] RunInfo run_info_from(const nlohmann::ordered_json& json);

}  // namespace convoy
