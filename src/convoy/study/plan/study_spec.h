// What a study should find out and by which runs: the contents of study.json. Its specification is enough to repeat a
// study.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace convoy::study {

enum class StudyKind : std::uint8_t {
  scale,     // throughput against workers
  batch,     // throughput against batch size
  sweep,     // which settings learn fastest
  converge,  // accuracy against epochs and time
  imported,  // runs of other systems
};

[[nodiscard]] std::string_view to_text(StudyKind kind);

// A setting of `convoy train` that varies, and its values as a flag takes them.
struct Axis {
  std::string key;
  std::vector<std::string> values;

  bool operator==(const Axis&) const = default;
};

// Points that look hopeless are given up: all train for `first_epochs`, the best 1/eta of them eta times as long, and
// so on until the epochs of the study are reached.
struct HalvingSpec {
  std::int64_t first_epochs = 1;
  int eta = 2;

  bool operator==(const HalvingSpec&) const = default;
};

struct StudySpec {
  StudyKind kind = StudyKind::scale;
  std::vector<Axis> axes;                       // points are all combinations of their values
  std::map<std::string, std::string> settings;  // of `convoy train`, the same for all runs
  int repeats = 1;                              // runs per point, each with its own seed
  std::uint64_t order_seed = 1;                 // for the order of runs and for drawing points from the grid
  int random_points = 0;                        // how many points are drawn from the grid; 0: all
  std::optional<HalvingSpec> halving;
  // At the end the best point for each number of workers is trained for this long; 0: it is not.
  std::int64_t retrain_epochs = 0;
  std::int64_t skipped_epochs = 1;            // at the beginning of each run, left out of throughputs
  double price = 0;                           // per worker-hour; 0: unknown
  std::string currency;                       // of the price, as written; empty if it was not given
  std::vector<std::int64_t> predicted_sizes;  // numbers of workers that results are predicted for
  double target_accuracy = 0;                 // a share; the time to reach it is measured; 0: none
  double stable_within = 0.005;               // a share: how close to its best an accuracy must stay to be stable
  int cores = 1;                              // of all hosts; points with more threads are oversubscribed
  std::vector<std::string> command;           // the one that made the study

  // Whether the runs are the same; the command may be written differently.
  [[nodiscard]] bool same_runs(const StudySpec& other) const;
};

[[nodiscard]] nlohmann::ordered_json to_json(const StudySpec& spec);

// Throws DataError that names the field that is missing or wrong, UserError if the schema is too new.
[[nodiscard]] StudySpec study_spec_from(const nlohmann::ordered_json& json);

// The kinds of studies, one row each. A new kind needs a row here, a file with its analysis and a row in
// analysis/study_analysis.cc, and a file with its sections and a row in report/study/kind_reports.cc.
struct KindRow {
  StudyKind kind;
  std::string_view name;      // in study.json, and of the sub-command that makes it
  std::string_view title;     // of its report
  bool imported = false;      // from logs of other systems: nothing is planned or run, and what no log says is unknown
  bool resumable = false;     // a stopped run goes on from its checkpoint; otherwise it starts anew, because throughput
                              // must be measured in one go
  bool picks_points = false;  // may draw points from the grid and give up those that look hopeless
  bool has_target = false;    // asks when an accuracy is stable and when it reaches a target
};

[[nodiscard]] const KindRow& kind_row(StudyKind kind);

// Null when there is no such kind.
[[nodiscard]] const KindRow* kind_named(std::string_view name);

}  // namespace convoy::study
