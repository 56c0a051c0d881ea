// The runs of a study, from its specification alone.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "convoy/study/plan/study_spec.h"

namespace convoy::study {

// One combination of the axes' values. What makes no difference is left out: a single worker has neither a way to sum
// gradients nor a kind of scaling, so all such points are one, and the base of every series.
using Point = std::map<std::string, std::string>;

// What an imported log does not say although others of the study do. It equals no value.
inline constexpr const char* kUnknownValue = "unknown";

// "workers 2, scaling weak"; "alone" for a point without values.
[[nodiscard]] std::string point_text(const Point& point);

// Of these settings alone.
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
  int attempt = 1;         // counted from 1; more where others used the cores before, see disturbance.h
  bool retrained = false;  // the best point once more, for StudySpec::retrain_epochs

  bool operator==(const PlannedRun&) const = default;
};

// In the order in which they are to run: repeat after repeat, each a shuffled list of all points, so that a slow change
// of the machine falls on all points alike and a study that is stopped early has something of each.
// Throws UserError for axes that are empty, twice there or among the settings.
[[nodiscard]] std::vector<PlannedRun> plan_runs(const StudySpec& spec);

// Another attempt at a run of the plan, with an id of its own: earlier ones are kept.
[[nodiscard]] PlannedRun attempt_of(const PlannedRun& run, int attempt);

// A run of the plan once more and for longer, with an id of its own.
[[nodiscard]] PlannedRun retrained_run(const PlannedRun& run);

// The value of a setting at a point, or what the whole study says; `otherwise` where neither does.
[[nodiscard]] std::string value_at(const StudySpec& spec, const Point& point, const std::string& key,
                                   const std::string& otherwise);

// All settings of a run, by key, as the flags of `convoy train` take them, but for where it is kept.
[[nodiscard]] std::map<std::string, std::string> settings_of(const StudySpec& spec, const PlannedRun& run);

// What became of one run of a study: a line of outcomes.jsonl.
struct RunOutcome {
  PlannedRun run;
  std::int64_t epochs = 0;  // it was to have: fewer than the study's where hopeless points are given up
  int exit_code = 0;
  double turnaround_seconds = 0;  // from launch to exit, over all sittings; 0 for imported runs
  std::string message;            // why it failed; empty when it did not
  std::string finished;           // "2026-11-16T04:02:11Z"

  bool operator==(const RunOutcome&) const = default;
};

[[nodiscard]] nlohmann::ordered_json to_json(const RunOutcome& outcome);

// Throws DataError naming the field that is missing or wrong.
[[nodiscard]] RunOutcome run_outcome_from(const nlohmann::ordered_json& json);

}  // namespace convoy::study
