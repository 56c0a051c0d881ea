// Everything that a study has found out so far, read from its folder.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "convoy/record/run_info.h"
#include "convoy/study/measure/run_measures.h"
#include "convoy/study/run/study_folder.h"

namespace convoy::study {

struct StudyRun {
  RunOutcome outcome;
  std::optional<RunMeasures> measures;  // absent if it left no record
  std::string trouble;                  // why it does not count; empty if it does

  // Whether it can be used: it ended well and left a record.
  [[nodiscard]] bool counts() const { return trouble.empty(); }
  // Whether others used its cores while it was measured, so that its speed is doubtful.
  [[nodiscard]] bool is_disturbed() const { return measures && !measures->disturbance.empty(); }
};

// The runs of one combination of settings.
struct PointResult {
  Point point;
  bool oversubscribed = false;  // by the plan, or because several hosts turned out to be the same machine
  std::vector<StudyRun> runs;
};

struct StudyResults {
  std::filesystem::path folder;
  // With fewer cores than planned if several hosts turned out to be one machine. Contains the batch even if it is the
  // default.
  StudySpec spec;
  std::vector<PointResult> points;  // ordered by the values of the axes, numbers as numbers
  // The best points trained again for longer; not used as measurements of their points.
  std::vector<StudyRun> retrained;
  std::size_t planned_runs = 0;
  std::size_t ended_runs = 0;
  std::size_t failed_runs = 0;
  std::size_t disturbed_runs = 0;
  std::optional<RunInfo> info;     // of one run: machine and versions
  std::vector<std::string> notes;  // what was unusual, for readers of the report
};

// What has become of the disturbed runs: some can be run again, or they were disturbed in every attempt, or all of them
// were run again undisturbed.
enum class Repetition : std::uint8_t { possible, exhausted, done };
[[nodiscard]] Repetition repetition_of(const StudyResults& results);

// Throws DataError when a record cannot be read; a run without a record is a failed run.
[[nodiscard]] StudyResults read_results(const StudyFolder& folder);

// The number of hardware threads of all machines of a run, if several of its hosts are one machine: containers or
// network namespaces on the same running kernel. No value if each host is a machine of its own or the record does not
// tell.
[[nodiscard]] std::optional<std::int64_t> shared_hardware_threads(const RunInfo& info);

// "a" before "b", "2" before "10".
[[nodiscard]] bool value_before(const std::string& a, const std::string& b);

}  // namespace convoy::study
