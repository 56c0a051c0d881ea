// Runs what is left of a study, one run after the other: they would disturb each other's clocks.
#pragma once

#include <functional>
#include <string>

#include "convoy/study/plan/study_tasks.h"
#include "convoy/study/run/study_folder.h"

namespace convoy::study {

struct StudyProgress {
  std::size_t ended = 0;  // runs that need nothing more, failed ones included
  std::size_t total = 0;
  std::size_t failed = 0;
  double seconds_of_a_run = 0;  // mean of those that ended; 0 before the first
};

[[nodiscard]] StudyProgress progress_of(const StudyFolder& folder);

// So often a run that others disturbed is made in all.
inline constexpr int kMostAttempts = 3;

// The runs of the plan whose last attempt was disturbed, as tasks for another one; that one is kept beside the earlier
// ones, under a name of its own. None for a run that has had kMostAttempts. Throws DataError for records that cannot be
// read.
[[nodiscard]] std::vector<Task> disturbed_tasks(const StudyFolder& folder);

struct RunnerHooks {
  // Does the task and says what became of it; blocks. Whatever it throws ends the study, which can go on later.
  std::function<RunOutcome(const Task&)> run;
  // Whether to stop. A run that was under way then and did not succeed is not counted; one that did is.
  std::function<bool()> interrupted;
  // Told of each run that is counted, when it is on disk.
  std::function<void(const RunOutcome&)> ended = [](const RunOutcome&) {};
  // The points that are trained for longer in the end, asked when all else is done; for specifications that want it.
  std::function<std::vector<Point>()> best_points = [] { return std::vector<Point>(); };
  // Whether runs that others disturbed are made again once all are done.
  bool repeat_disturbed = false;
};

// Whether the study is complete; false when it was interrupted.
[[nodiscard]] bool run_study(StudyFolder& folder, const RunnerHooks& hooks);

}  // namespace convoy::study
