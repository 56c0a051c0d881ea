// What is left to do of a study. This is a pure function of the outcomes so far, so a stopped study goes on where it
// was.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "convoy/study/plan/study_plan.h"

namespace convoy::study {

// Successive halving: many settings are trained for a short time, the best of them longer, until few are left. Each
// round is a rung; to the next one a share of 1 / eta goes on, for eta times the epochs, so all rungs cost about the
// same.
struct HalvingOptions {
  std::int64_t eta = 3;           // at least 2
  std::int64_t first_epochs = 1;  // of the first rung, at least 1
  std::int64_t last_epochs = 1;   // of the last, at least first_epochs
};

// The total number of epochs to which each rung trains: first, first * eta, ..., and always last_epochs at the end.
[[nodiscard]] std::vector<std::int64_t> halving_rungs(const HalvingOptions& options);

struct HalvingPoint {
  std::int64_t group = 0;  // 0 for all, or the number of workers: each group is judged by itself
  double loss = 0;         // at the end of the current rung; not finite when it diverged or failed
};

// Indices of the points that go on, in ascending order: in each group the n / eta (rounded down, at least one) with the
// smallest loss; among equal ones those given first. Points whose loss is not finite never go on, so a group with no
// others ends.
[[nodiscard]] std::vector<std::size_t> halving_survivors(std::span<const HalvingPoint> points, std::int64_t eta);

struct Task {
  PlannedRun run;
  std::int64_t epochs = 0;  // the total number of epochs when the task is done

  bool operator==(const Task&) const = default;
};

struct TaskQuestions {
  // The outcome of a run so far; null before it was started.
  std::function<const RunOutcome*(const std::string& id)> outcome;
  // The training loss of a run at that epoch, if it got so far.
  std::function<std::optional<double>(const std::string& id, std::int64_t epoch)> loss;
};

// The next tasks, in order; none when the study is complete. Where hopeless points are given up, these are the tasks of
// one rung: ask again when they are done. A failed run is not started again.
[[nodiscard]] std::vector<Task> next_tasks(const StudySpec& spec, std::span<const PlannedRun> plan,
                                           const TaskQuestions& questions);

}  // namespace convoy::study
