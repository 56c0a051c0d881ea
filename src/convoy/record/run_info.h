// How a run was started, and with what: run.json.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "convoy/base/version.h"

namespace convoy {

// The version of the record's form and the names of its files. Readers know this version and the ones before it; a
// change that an old reader would misunderstand raises the number.
inline constexpr int kRecordSchema = 1;

inline constexpr const char* kRunFile = "run.json";
inline constexpr const char* kStepsFile = "steps.jsonl";
inline constexpr const char* kStepsTable = "steps.csv";
inline constexpr const char* kEpochsFile = "epochs.jsonl";
inline constexpr const char* kEpochsTable = "epochs.csv";
inline constexpr const char* kUsageFile = "usage.jsonl";
inline constexpr const char* kUsageTable = "usage.csv";
inline constexpr const char* kSummaryFile = "summary.json";

// One machine of a run, as its record tells it.
struct HostInfo {
  std::string name;
  std::string cpu_model;
  std::int64_t usable_cores = 0;  // by the process that was asked: a rank that is bound to cores counts those
  std::int64_t memory_bytes = 0;
  // Of the running kernel: containers and network namespaces have names of their own but share it. Empty where it is
  // not known.
  std::string boot_id = {};
  std::int64_t hardware_threads = 0;  // of the whole machine; 0 where it is not known

  bool operator==(const HostInfo&) const = default;
};

// The machine this process runs on.
[[nodiscard]] HostInfo read_host();

[[nodiscard]] nlohmann::ordered_json to_json(const HostInfo& host);
[[nodiscard]] HostInfo host_info_from(const nlohmann::ordered_json& json);

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
