// The runs of a study, derived from its specification alone.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "convoy/study/plan/study_spec.h"

namespace convoy::study {

// One combination of the axes' values. Settings that make no difference are left out: a single worker has neither an
// all-reduce nor a kind of scaling, so all such points are the same one, and the base of every series.
using Point = std::map<std::string, std::string>;

// The value of a setting that an imported log does not say although others of the study do. It equals no value.
inline constexpr const char* kUnknownValue = "unknown";

// "workers 2, scaling weak"; "alone" for a point without values.
[[nodiscard]] std::string point_text(const Point& point);

// Only these settings.
[[nodiscard]] std::string point_text(const Point& point, const std::vector<std::string>& keys);

// The settings that vary, in the order of the study's axes.
[[nodiscard]] std::vector<std::string> varied_keys(const StudySpec& spec);

// Names the folder of a run: "workers-2.scaling-weak.run-1".
[[nodiscard]] std::string run_id(const Point& point, int repeat);

struct PlannedRun {
  std::string id;
  Point point;
  int repeat = 1;  // counted from 1
  bool oversubscribed = false;
  int attempt = 1;         // counted from 1; more than 1 after earlier attempts were disturbed, see disturbance.h
  bool retrained = false;  // the best point, trained again for StudySpec::retrain_epochs

  bool operator==(const PlannedRun&) const = default;
};

// In the order in which they run: repeat after repeat, each a shuffled list of all points. So a slow change of the
// machine affects all points alike, and a study that is stopped early has something for each point. Throws UserError
// for axes that are empty, appear twice or are also settings.
[[nodiscard]] std::vector<PlannedRun> plan_runs(const StudySpec& spec);

// How often a disturbed run is made at most, including the first time.
inline constexpr int kMostAttempts = 3;

// Another attempt at a planned run, with an id of its own; earlier attempts are kept.
[[nodiscard]] PlannedRun attempt_of(const PlannedRun& run, int attempt);

// A planned run once more and for longer, with an id of its own.
[[nodiscard]] PlannedRun retrained_run(const PlannedRun& run);

// The value of a setting at a point, or that of the whole study; `otherwise` if neither has one.
[[nodiscard]] std::string value_at(const StudySpec& spec, const Point& point, const std::string& key,
                                   const std::string& otherwise);

// All settings of a run, by key, as `convoy train` takes them as flags, except the run's folder.
[[nodiscard]] std::map<std::string, std::string> settings_of(const StudySpec& spec, const PlannedRun& run);

// The outcome of one run of a study: a line of outcomes.jsonl.
struct RunOutcome {
  PlannedRun run;
  std::int64_t epochs = 0;  // planned for it: fewer than the study's where hopeless points are given up
  int exit_code = 0;
  double turnaround_seconds = 0;  // from launch to exit, over all sittings (see RunInfo); 0 for imported runs
  std::string message;            // why it failed; empty if it did not
  std::string finished;           // "2026-11-16T04:02:11Z"

  bool operator==(const RunOutcome&) const = default;
};

[[nodiscard]] nlohmann::ordered_json to_json(const RunOutcome& outcome);

// Throws DataError that names the field that is missing or wrong.
[[nodiscard]] RunOutcome run_outcome_from(const nlohmann::ordered_json& json);

}  // namespace convoy::study
