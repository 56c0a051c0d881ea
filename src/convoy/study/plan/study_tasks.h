// What a study has left to do. Pure: the same answer for the same outcomes, so a study that was stopped goes on where
// it was.
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

// Successive halving: many settings are trained a little, the best of them longer, until few are left. Each round is a
// rung; on the next one a share of 1 / eta goes on for eta times the epochs, so rungs cost about the same.
struct HalvingOptions {
  std::int64_t eta = 3;           // at least 2
  std::int64_t first_epochs = 1;  // of the first rung, at least 1
  std::int64_t last_epochs = 1;   // of the last, at least first_epochs
};

// The epochs each rung trains to in all: first, first * eta, ..., and always last_epochs at the end.
[[nodiscard]] std::vector<std::int64_t> halving_rungs(const HalvingOptions& options);

struct HalvingPoint {
  std::int64_t group = 0;  // 0 for all, or the number of workers: groups are cut each by itself
  double loss = 0;         // at the end of the current rung; not finite when it diverged or failed
};

// Indices of the points that go on, ascending: of each group the n / eta (rounded down, at least one) with the smallest
// loss, of equals those given first. What is not finite never goes on, so a group of nothing else ends.
[[nodiscard]] std::vector<std::size_t> halving_survivors(std::span<const HalvingPoint> points, std::int64_t eta);

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
