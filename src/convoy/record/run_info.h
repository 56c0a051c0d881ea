// How a run was started and with what: run.json. A run that is stopped and resumed has several sittings; each time it
// is started is one.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "convoy/base/version.h"

namespace convoy {

// The version of the record's format, and the names of its files. Readers know this version and all before it; a change
// that an old reader would misunderstand raises the number.
inline constexpr int kRecordSchema = 1;

inline constexpr const char* kRunFile = "run.json";
inline constexpr const char* kStepsFile = "steps.jsonl";
inline constexpr const char* kStepsTable = "steps.csv";
inline constexpr const char* kEpochsFile = "epochs.jsonl";
inline constexpr const char* kEpochsTable = "epochs.csv";
inline constexpr const char* kUsageFile = "usage.jsonl";
inline constexpr const char* kUsageTable = "usage.csv";
inline constexpr const char* kSummaryFile = "summary.json";

// One machine of a run.
struct HostInfo {
  std::string name;
  std::string cpu_model;
  // As seen by the process that was asked: a rank that is bound to cores counts only those.
  std::int64_t usable_cores = 0;
  std::int64_t memory_bytes = 0;
  // Identifies the running kernel: containers and network namespaces have host names of their own but share it. Empty
  // when not known.
  std::string boot_id = {};
  std::int64_t hardware_threads = 0;  // of the whole machine; 0 when not known

  bool operator==(const HostInfo&) const = default;
};

// The machine this process runs on.
[[nodiscard]] HostInfo read_host();

[[nodiscard]] nlohmann::ordered_json to_json(const HostInfo& host);
[[nodiscard]] HostInfo host_info_from(const nlohmann::ordered_json& json);

struct RunInfo {
  int schema = kRecordSchema;
  std::vector<std::string> command_line;
  nlohmann::ordered_json configuration;  // all settings, defaults included; not interpreted here
  std::int64_t ranks = 1;
  std::string all_reduce;  // how gradients are summed over ranks, for people; empty for one rank
  std::vector<HostInfo> hosts;
  std::map<std::string, std::string> libraries;  // "oneDNN" -> "2.6.3"
  BuildInfo build;                               // including the git id
  std::string started;                           // "2026-11-16T03:12:45Z"
  std::int64_t from_step = 0;                    // how many steps were done before this sitting
  // What this file said in earlier sittings, oldest first. Their own lists are empty.
  std::vector<RunInfo> earlier_sittings;
};

// Fills in this build, this machine and the current time; the caller adds ranks and libraries.
[[nodiscard]] RunInfo describe_run(std::vector<std::string> command_line, nlohmann::ordered_json configuration);

[[nodiscard]] nlohmann::ordered_json to_json(const RunInfo& info);

// Throws DataError that names the field that is missing or wrong, or UserError when the schema is too new.
[[nodiscard]] RunInfo run_info_from(const nlohmann::ordered_json& json);

}  // namespace convoy
