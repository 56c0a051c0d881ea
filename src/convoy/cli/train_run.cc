#include "convoy/cli/train_run.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <optional>
#include <utility>

#include "convoy/base/error.h"
#include "convoy/base/number_text.h"
#include "convoy/base/printable_text.h"
#include "convoy/base/version.h"
#include "convoy/cli/duration_text.h"
#include "convoy/cli/end_notice.h"
#include "convoy/cli/fair_threads.h"
#include "convoy/cli/interrupt.h"
#include "convoy/cli/rank_environment.h"
#include "convoy/cli/run_folder.h"
#include "convoy/cli/setting_flags.h"
#include "convoy/cli/source_flags.h"
#include "convoy/cli/standard_streams.h"
#include "convoy/cli/training_parts.h"
#include "convoy/cli/training_plan.h"
#include "convoy/optim/schedule.h"
#include "convoy/record/trace.h"
#include "convoy/sync/agreement.h"
#include "convoy/train/run_recorder.h"
#include "convoy/train/snapshot.h"
#include "convoy/train/tracing.h"

namespace convoy::cli {
namespace {

namespace fs = std::filesystem;

void print_opening(const TrainSettings& settings, const TrainingPlan& plan, const RunFolder& folder, int workers) {
  const data::Source& source = *plan.source;
  say("{} on {}: {} images of {} to train on, {} to test, {} classes\n", settings.model, printable_text(settings.data),
      grouped_text(source.size(data::Split::train)), source.shape().to_string(),
      grouped_text(source.size(data::Split::test)), source.classes().size());
  say("{}, rate {:g}, {}; batch {}; augment {}; {}{} thread{}\n", settings.optimizer, plan.schedule.rate,
      settings.schedule, plan.trainer.batch, augment_text(settings.augment),
      workers == 1 ? "" : fmt::format("{} workers of ", workers), *settings.threads, settings.threads == 1 ? "" : "s");
  say("run folder {}\n", printable_text(folder.path.string()));
}

// Whatever is shown to the user: should the ranks be lost, the launcher tells how the run goes on.
void tell_launcher(const fs::path& folder) {
  if (environment_variable(kReadsNotices)) say("{}", folder_notice(fs::absolute(folder).string()));
}

void print_resumed(const Trainer& trainer, const TrainSettings& settings) {
  if (trainer.state().step == trainer.total_steps()) {
    say("its {} epochs are done; --epochs N trains N more\n", settings.epochs);
    return;
  }
  say("going on after step {} of {} (epoch {} of {})\n", trainer.state().step, trainer.total_steps(),
      trainer.state().step / trainer.steps_per_epoch() + 1, settings.epochs);
}

// Rank 0 measures kernels and writes folders while the others wait.
constexpr std::chrono::minutes kStartDeadline{10};

// How many processes and threads compute decides how sums are rounded: both become settings, to be kept with the run.
void decide_processes(TrainSettings& settings, const ThreadWish& wish, Communicator& communicator) {
  const ThreadChoice choice = choose_threads(wish, fair_threads(communicator));
  settings.threads = choice.threads;
  if (communicator.size() > 1) settings.workers = communicator.size();
  // Convoy's launcher has said it when it planned the workers.
  const bool said = environment_variable(kReadsNotices).has_value();
  if (!choice.note.empty() && communicator.rank() == 0 && !said) print_note(choice.note);
}

// What must not differ between ranks. Where data and caches lie may.
std::string description(const std::vector<Setting>& list) {
  constexpr std::array kMayDiffer = {"data-dir", "run-dir", "choices", "threads", "loader-threads", "init"};
  std::vector<Setting> compared;
  std::ranges::copy_if(list, std::back_inserter(compared), [&](const Setting& setting) {
    return std::ranges::find(kMayDiffer, setting.key) == kMayDiffer.end();
  });
  return build_info().version + build_info().git_id + settings_toml(compared);
}

// What only the first rank has: the folder of the run and its record.
struct Keeping {
  explicit Keeping(RunFolder of) : folder(std::move(of)) {}

  RunFolder folder;
  std::optional<RunWriter> writer;
  std::optional<RunRecorder> recorder;
  std::optional<ProgressDisplay> display;

  void start(Trainer& trainer, const TrainingPlan& plan, const TrainingParts& parts, const std::vector<Setting>& list,
             const RunRequest& request, const RanksInfo& ranks) {
    writer.emplace(start_record(folder, list, parts.choices(), request, ranks));
    recorder.emplace(*writer, plan.card.classes, folder.earlier);
    display.emplace(request.display, plan.trainer.epochs, trainer.total_steps());
    trainer.add(*display);
    trainer.add(*recorder);
  }
};

void load_start(const RunFolder& folder, const TrainingPlan& plan, const TrainSettings& settings, TrainingParts& parts,
                Trainer& trainer, DisplayKind display) {
  if (folder.start) {
    restore(*folder.start, plan.card, trainer);
    if (display == DisplayKind::full) print_resumed(trainer, settings);
  } else if (!settings.init.empty()) {
    parts.start_from(settings.init);
  }
}

// A signal may have reached some ranks only; they all end alike.
void end_if_interrupted(const Outcome& outcome, const RunFolder* folder, std::int64_t step,
                        Communicator& communicator) {
  if (outcome.kind != EndKind::interrupted) return;
  const auto signal = static_cast<int>(communicator.max(Interrupt::signal()));
  if (folder != nullptr) {
    const std::optional<Checkpoint> newest = folder->checkpoints.latest_state();
    say("{}\n", interruption_text(folder->path, step, newest ? std::optional(newest->step) : std::nullopt));
  }
  throw Interrupted{signal};
}

}  // namespace

FinishedRun train_run(TrainSettings& settings, const std::vector<Setting>& list, const RunRequest& request,
                      Communicator& communicator) {
  const std::chrono::milliseconds deadline(std::llround(1e3 * parse_duration("--deadline", settings.deadline)));
  communicator.transport().set_deadline(std::max<std::chrono::milliseconds>(deadline, kStartDeadline));
  decide_processes(settings, request.threads, communicator);
  const TrainingPlan plan = plan_training(settings, communicator.size());
  require_same(communicator, "settings", description(list));
  std::optional<Keeping> keeping;
  const Interrupt interrupt(stop_channel());  // from here on there is a folder, and something to say about it
  if (communicator.rank() == 0) {
    keeping.emplace(open_run_folder(settings, plan, request));
    if (request.display == DisplayKind::full) print_opening(settings, plan, keeping->folder, communicator.size());
    tell_launcher(keeping->folder.path);
  }

  TrainingParts parts(plan, settings, keeping ? keeping->folder.choices : RunChoices{}, communicator);
  const Schedule schedule(plan.schedule);
  Trainer trainer({parts.network, *parts.optimizer, [&](std::int64_t step) { return schedule.rate(step); },
                   *plan.source, parts.evaluator, parts.replica.get(), &parts.timeline},
                  plan.trainer);
  const RanksInfo ranks = describe_ranks(*parts.replica);
  if (keeping) {
    if (ranks.count > 1 && request.display == DisplayKind::full) {
      say("gradients summed {}\n", ranks.all_reduce);
    }
    load_start(keeping->folder, plan, settings, parts, trainer, request.display);
    keeping->start(trainer, plan, parts, list, request, ranks);
  }
  share_start(trainer);
  communicator.transport().set_deadline(deadline);
  Checkpointing checkpointing(keeping ? &keeping->folder.checkpoints : nullptr, plan.card, settings.data,
                              plan.checkpoints, kept_json(list, parts.choices()));
  trainer.add(checkpointing);

  Tracing tracing(parts.timeline, settings.trace, keeping ? keeping->folder.path / kTraceFile : fs::path());
  if (settings.trace > 0) {
    trainer.add(tracing);
    tracing.start(trainer);
  }

  const Outcome outcome = trainer.run([] { return Interrupt::signal() != 0; });
  end_if_interrupted(outcome, keeping ? &keeping->folder : nullptr, trainer.state().step, communicator);
  if (!keeping) return {};
  return {.folder = keeping->folder.path, .summary = keeping->recorder->summary()};
}

}  // namespace convoy::cli
