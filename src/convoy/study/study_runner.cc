#include "convoy/study/study_runner.h"

#include <algorithm>

#include "convoy/base/error.h"
#include "convoy/record/run_record.h"

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
    // Damaged: it tells as little as one that is not there.
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
  for (const RunOutcome& outcome : folder.outcomes()) {
    ++progress.ended;
    progress.failed += outcome.exit_code != 0 ? 1 : 0;
    seconds += outcome.turnaround_seconds;
  }
  if (progress.ended > 0) progress.seconds_of_a_run = seconds / static_cast<double>(progress.ended);
  return progress;
}

bool run_study(StudyFolder& folder, const RunnerHooks& hooks) {
  const auto plan = plan_runs(folder.spec());
  while (true) {
    const std::vector<Task> tasks = next_tasks(folder.spec(), plan, questions_to(folder));
    if (tasks.empty()) return true;
    for (const Task& task : tasks) {
      if (hooks.interrupted()) return false;
      const RunOutcome outcome = hooks.run(task);
      if (hooks.interrupted() && outcome.exit_code != 0) return false;
      folder.add(outcome);
      hooks.ended(outcome);
    }
  }
}

}  // namespace convoy::study
