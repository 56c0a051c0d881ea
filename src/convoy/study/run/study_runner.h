// Runs what is left of a study, one run after the other, because they would disturb each other's measurements.
#pragma once

#include <functional>
#include <string>

#include "convoy/study/plan/study_tasks.h"
#include "convoy/study/run/study_folder.h"

namespace convoy::study {

struct StudyProgress {
  std::size_t ended = 0;  // runs that need nothing more, including failed ones
  std::size_t total = 0;
  std::size_t failed = 0;
  double seconds_of_a_run = 0;  // mean of those that ended; 0 before the first
};

[[nodiscard]] StudyProgress progress_of(const StudyFolder& folder);

// Tasks for another attempt at the planned runs whose last attempt was disturbed. Earlier attempts are kept; each has
// an id of its own. None for a run that has had kMostAttempts. Throws DataError for records that cannot be read.
[[nodiscard]] std::vector<Task> disturbed_tasks(const StudyFolder& folder);

struct RunnerHooks {
  // Does the task and returns its outcome; blocks. If it throws, the study ends and can go on later.
  std::function<RunOutcome(const Task&)> run;
  // Whether to stop. A run that was under way then counts only if it succeeded.
  std::function<bool()> interrupted;
  // Called for each run that counts, after it is on disk.
  std::function<void(const RunOutcome&)> ended = [](const RunOutcome&) {};
  // The points that are trained for longer at the end; called when everything else is done, if the specification wants
  // it.
  std::function<std::vector<Point>()> best_points = [] { return std::vector<Point>(); };
  // Whether disturbed runs are repeated once all others are done.
  bool repeat_disturbed = false;
};

// Returns whether the study is complete; false when it was interrupted.
[[nodiscard]] bool run_study(StudyFolder& folder, const RunnerHooks& hooks);

}  // namespace convoy::study
