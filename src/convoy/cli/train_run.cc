#include "convoy/cli/train_run.h"

#include <fmt/core.h>

#include <chrono>

#include "convoy/base/atomic_file.h"
#include "convoy/base/error.h"
#include "convoy/base/number_text.h"
#include "convoy/cli/interrupt.h"
#include "convoy/cli/run_folder.h"
#include "convoy/cli/setting_flags.h"
#include "convoy/cli/training_parts.h"
#include "convoy/cli/training_plan.h"
#include "convoy/optim/schedule.h"
#include "convoy/train/run_recorder.h"
#include "convoy/train/snapshot.h"

namespace convoy::cli {
namespace {

void print_opening(const TrainSettings& settings, const TrainingPlan& plan, const RunFolder& folder) {
  const data::Source& source = *plan.source;
  fmt::print(stderr, "{} on {}: {} images of {} to train on, {} to test, {} classes\n", settings.model, settings.data,
             grouped_text(source.size(data::Split::train)), source.shape().to_string(),
             grouped_text(source.size(data::Split::test)), source.classes().size());
  fmt::print(stderr, "{}, rate {:g}, {}; batch {}; augment {}; {} thread{}\n", settings.optimizer, plan.schedule.rate,
             settings.schedule, settings.batch, augment_text(settings.augment), settings.threads,
             settings.threads == 1 ? "" : "s");
  fmt::print(stderr, "run folder {}\n", folder.path.string());
}

void print_resumed(const Trainer& trainer, const TrainSettings& settings) {
  if (trainer.state().step == trainer.total_steps()) {
    fmt::print(stderr, "its {} epochs are done; --epochs N trains N more\n", settings.epochs);
    return;
  }
  fmt::print(stderr, "going on after step {} of {} (epoch {} of {})\n", trainer.state().step, trainer.total_steps(),
             trainer.state().step / trainer.steps_per_epoch() + 1, settings.epochs);
}

}  // namespace

FinishedRun train_run(TrainSettings& settings, const std::vector<Setting>& list, const RunRequest& request) {
  const TrainingPlan plan = plan_training(settings);
  RunFolder folder = open_run_folder(settings, plan, request);
  if (request.display == DisplayKind::full) print_opening(settings, plan, folder);

  TrainingParts parts(plan, settings, folder.choices);
  const Schedule schedule(plan.schedule);
  Trainer trainer({parts.network, *parts.optimizer, [&](std::int64_t step) { return schedule.rate(step); },
                   *plan.source, parts.evaluator},
                  plan.trainer);
  if (folder.start) {
    restore(*folder.start, plan.card, trainer);
    if (request.display == DisplayKind::full) print_resumed(trainer, settings);
  } else if (!settings.init.empty()) {
    parts.start_from(settings.init);
  }

  RunWriter writer = start_record(folder, list, parts.choices(), request);
  RunRecorder recorder(writer, plan.card.classes, folder.earlier);
  Checkpointing checkpointing(folder.checkpoints, plan.card, settings.data, plan.checkpoints);
  ProgressDisplay display(request.display, settings.epochs, trainer.total_steps());
  trainer.add(display);
  trainer.add(recorder);
  trainer.add(checkpointing);

  const Interrupt interrupt;
  (void)trainer.run([] { return Interrupt::signal() != 0; });
  if (Interrupt::signal() != 0) {
    fmt::print(stderr, "checkpoint written; go on with `convoy train --resume {}`\n", folder.path.string());
    throw Interrupted{Interrupt::signal()};
  }
  return {.folder = folder.path, .summary = recorder.summary()};
}

}  // namespace convoy::cli
