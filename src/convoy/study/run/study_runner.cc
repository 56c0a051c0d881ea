#include "convoy/study/run/study_runner.h"

#include <algorithm>

#include "convoy/base/error.h"
#include "convoy/record/run_record.h"
#include "convoy/study/measure/run_measures.h"

namespace convoy::study {
namespace {

std::optional<double> loss_of_epoch(const StudyFolder& folder, const std::string& id, std::int64_t epoch) {
  const auto path = folder.run_folder(id);
  if (!is_run_folder(path)) return std::nullopt;
  try {
    for (const EpochRecord& record : read_run(path).epochs) {
      if (record.epoch == epoch) return record.train_loss;
    }
  } catch (const DataError&) {
    // A damaged record says as little as a missing one.
  }
  return std::nullopt;
}

TaskQuestions questions_to(const StudyFolder& folder) {
  return {.outcome = [&folder](const std::string& id) { return folder.outcome_of(id); },
          .loss = [&folder](const std::string& id, std::int64_t epoch) { return loss_of_epoch(folder, id, epoch); }};
}

}  // namespace

StudyProgress progress_of(const StudyFolder& folder) {
  const auto plan = plan_runs(folder.spec());
  StudyProgress progress{.total = plan.size()};
  double seconds = 0;
  std::size_t timed = 0;
  for (const RunOutcome& outcome : folder.outcomes()) {
    if (outcome.run.retrained) continue;
    progress.ended += outcome.run.attempt == 1 ? 1 : 0;
    ++timed;
    progress.failed += outcome.exit_code != 0 ? 1 : 0;
    seconds += outcome.turnaround_seconds;
  }
  if (timed > 0) progress.seconds_of_a_run = seconds / static_cast<double>(timed);
  return progress;
}

namespace {

// The outcome of the last attempt at a planned run; null if there is none.
const RunOutcome* last_attempt(const StudyFolder& folder, const PlannedRun& run) {
  const RunOutcome* last = nullptr;
  for (const RunOutcome& outcome : folder.outcomes()) {
    const bool is_of_it = outcome.run.point == run.point && outcome.run.repeat == run.repeat;
    if (!is_of_it || outcome.run.retrained) continue;
    if (last == nullptr || outcome.run.attempt > last->run.attempt) last = &outcome;
  }
  return last;
}

bool was_disturbed(const StudyFolder& folder, const RunOutcome& outcome) {
  const auto path = folder.run_folder(outcome.run.id);
  if (outcome.exit_code != 0 || !is_run_folder(path)) return false;
  return !measure_run(read_run(path), folder.spec().skipped_epochs).disturbance.empty();
}

// Returns false when it was interrupted.
bool do_tasks(StudyFolder& folder, const std::vector<Task>& tasks, const RunnerHooks& hooks) {
  for (const Task& task : tasks) {
    if (hooks.interrupted()) return false;
    const RunOutcome outcome = hooks.run(task);
    if (hooks.interrupted() && outcome.exit_code != 0) return false;
    folder.add(outcome);
    hooks.ended(outcome);
  }
  return true;
}

// The tasks that are left of training the best points for longer.
std::vector<Task> retraining_tasks(const StudyFolder& folder, const RunnerHooks& hooks) {
  std::vector<Task> tasks;
  if (folder.spec().retrain_epochs == 0) return tasks;
  const std::vector<Point> best = hooks.best_points();
  for (const PlannedRun& run : plan_runs(folder.spec())) {
    if (run.repeat != 1 || std::ranges::find(best, run.point) == best.end()) continue;
    const PlannedRun longer = retrained_run(run);
    if (folder.outcome_of(longer.id) == nullptr) tasks.push_back({longer, folder.spec().retrain_epochs});
  }
  return tasks;
}

}  // namespace

std::vector<Task> disturbed_tasks(const StudyFolder& folder) {
  std::vector<Task> tasks;
  for (const PlannedRun& run : plan_runs(folder.spec())) {
    const RunOutcome* const last = last_attempt(folder, run);
    if (last == nullptr || last->run.attempt >= kMostAttempts || !was_disturbed(folder, *last)) continue;
    tasks.push_back({.run = attempt_of(run, last->run.attempt + 1), .epochs = last->epochs});
  }
  return tasks;
}

bool run_study(StudyFolder& folder, const RunnerHooks& hooks) {
  const auto plan = plan_runs(folder.spec());
  while (true) {
    std::vector<Task> tasks = next_tasks(folder.spec(), plan, questions_to(folder));
    if (tasks.empty() && hooks.repeat_disturbed) tasks = disturbed_tasks(folder);
    if (tasks.empty()) tasks = retraining_tasks(folder, hooks);
    if (tasks.empty()) return true;
    if (!do_tasks(folder, tasks, hooks)) return false;
  }
}

}  // namespace convoy::study
