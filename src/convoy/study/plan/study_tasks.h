// What a study has left to do. Pure: the same answer for the same outcomes, so a study that was stopped goes on where
// it was.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "convoy/study/plan/run_outcome.h"

namespace convoy::study {

struct Task {
  PlannedRun run;
  std::int64_t epochs = 0;  // it is to have in all when the task is done

  bool operator==(const Task&) const = default;
};

struct TaskQuestions {
  // What became of a run so far; null before it was started.
  std::function<const RunOutcome*(const std::string& id)> outcome;
  // The training loss of its epoch of that number, if it got so far.
  std::function<std::optional<double>(const std::string& id, std::int64_t epoch)> loss;
};

// The next tasks, in order; none when the study is complete. Where hopeless points are given up, they are those of one
// rung: ask again when they are done. A run that failed is not started again.
[[nodiscard]] std::vector<Task> next_tasks(const StudySpec& spec, std::span<const PlannedRun> plan,
                                           const TaskQuestions& questions);

}  // namespace convoy::study
