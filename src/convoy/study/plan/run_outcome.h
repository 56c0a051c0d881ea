// What became of one run of a study: a line of outcomes.jsonl.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "convoy/study/plan/study_plan.h"

namespace convoy::study {

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
