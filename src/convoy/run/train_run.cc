#include "convoy/run/train_run.h"

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
#include "convoy/base/file/folder.h"
#include "convoy/base/file/writable_folder.h"
#include "convoy/base/number_text.h"
#include "convoy/base/printable_text.h"
#include "convoy/base/version.h"
#include "convoy/comm/solo/solo_transport.h"
#include "convoy/exchange/tensorboard/run_events.h"
#include "convoy/optim/schedule.h"
#include "convoy/record/trace.h"
#include "convoy/run/fair_threads.h"
#include "convoy/run/live_curves.h"
#include "convoy/run/metrics_file.h"
#include "convoy/run/run_folder.h"
#include "convoy/run/session.h"
#include "convoy/run/settings/amounts.h"
#include "convoy/run/settings/settings_file.h"
#include "convoy/run/training_plan.h"
#include "convoy/sync/agreement.h"
#include "convoy/train/compression_state.h"
#include "convoy/train/dense_exchange.h"
#include "convoy/train/local_state.h"
#include "convoy/train/run_recorder.h"
#include "convoy/train/snapshot.h"
#include "convoy/train/tracing.h"
#include "convoy/train/usage_recorder.h"

namespace convoy {
namespace {

namespace fs = std::filesystem;

std::string data_text(const TrainSettings& settings, const data::Source& source) {
  return fmt::format("{} on {}: {} images of {} to train on, {} to test, {} classes", settings.model,
                     printable_text(settings.data), grouped_text(source.size(data::Split::train)),
                     source.shape().to_string(), grouped_text(source.size(data::Split::test)), source.classes().size());
}

// "0.2" or "0.2 (0.1 for each of 2 workers)": the learning rate that is used, with the reason if it is not the given
// one.
std::string rate_text(const TrainSettings& settings, const TrainingPlan& plan) {
  const std::string& how = settings.scale_learning_rate;
  const double rate = plan.schedule.learning_rate;
  if (how == "workers") {
    return fmt::format("{:g} ({:g} for each of {} worker{})", rate, *settings.learning_rate, plan.workers,
                       plan.workers == 1 ? "" : "s");
  }
  const bool is_scaled = how != "none" && how != "false";
  return is_scaled ? fmt::format("{:g} ({:g} for a batch of 256)", rate, *settings.learning_rate)
                   : fmt::format("{:g}", rate);
}

// ", mixup 0.2, ema 0.99, initialiser gaussian": what is not as usual.
std::string further_text(const TrainSettings& settings, const TrainingPlan& plan) {
  std::string text;
  const auto add = [&](const char* name, const auto& value, const auto& usual) {
    if (value != usual) text += fmt::format(", {} {}", name, value);
  };
  add("mixup", plan.trainer.mix.mixup, data::MixOptions{}.mixup);
  add("cutmix", plan.trainer.mix.cutmix, data::MixOptions{}.cutmix);
  add("ema", plan.trainer.average_decay, TrainerOptions{}.average_decay);
  add("initialiser", settings.initialiser, TrainSettings{}.initialiser);
  return text;
}

std::string method_text(const TrainSettings& settings, const TrainingPlan& plan) {
  return fmt::format("{}, rate {}, {}; batch {}; augment {}{}; {}{} thread{}", settings.optimizer,
                     rate_text(settings, plan), settings.schedule, plan.trainer.batch, augment_text(settings.augment),
                     further_text(settings, plan), plan.workers == 1 ? "" : fmt::format("{} workers of ", plan.workers),
                     *settings.threads, settings.threads == 1 ? "" : "s");
}

std::string resumed_text(const Trainer& trainer, const TrainSettings& settings) {
  if (trainer.state().step == trainer.total_steps()) {
    return fmt::format("its {} epochs are done; --epochs N trains N more", settings.epochs);
  }
  return fmt::format("going on after step {} of {} (epoch {} of {})", trainer.state().step, trainer.total_steps(),
                     trainer.state().step / trainer.steps_per_epoch() + 1, settings.epochs);
}

// A longer deadline for the start, because rank 0 measures kernels and writes folders while the others wait.
constexpr std::chrono::minutes kStartDeadline{10};

// The numbers of processes and threads affect how sums are rounded, so both become settings that are kept with the run.
void decide_processes(TrainSettings& settings, const RunRequest& request, Communicator& communicator) {
  const ThreadChoice choice = choose_threads(request.threads, fair_threads(communicator));
  settings.threads = choice.threads;
  if (communicator.size() > 1) settings.workers = communicator.size();
  const bool is_news = !choice.note.empty() && !request.threads.is_told;
  if (is_news && communicator.rank() == 0) request.remarks.note(choice.note);
}

// The settings that must be the same on all ranks. Where data and caches are may differ.
std::string description(const std::vector<Setting>& list) {
  constexpr std::array kMayDiffer = {"data-dir",       "run-dir", "choices",     "threads",
                                     "loader-threads", "init",    "tensorboard", "metrics"};
  std::vector<Setting> compared;
  std::ranges::copy_if(list, std::back_inserter(compared), [&](const Setting& setting) {
    return std::ranges::find(kMayDiffer, setting.key) == kMayDiffer.end();
  });
  return build_info().version + build_info().git_id + settings_toml(compared);
}

// The last part of the path, "2026-11-16T0312-resnet20-mnist", however the path is written.
std::string name_of(const fs::path& folder) {
  const fs::path path = fs::absolute(folder).lexically_normal();
  return (path.has_filename() ? path : path.parent_path()).filename().string();
}

void require_writable_monitoring(const TrainSettings& settings) {
  constexpr std::int64_t kBytes = 1 << 20;
  const RoomNeeded room{.bytes = kBytes, .largest_file_bytes = kBytes, .what = "curves and metrics"};
  if (!settings.metrics.empty()) require_writable_folder(folder_of(settings.metrics), room);
  const bool is_apart = !settings.tensorboard.empty() && settings.tensorboard != kOwnTensorboard;
  if (is_apart) require_writable_folder(settings.tensorboard, room);
}

// What only the first rank has: the run's folder and its record.
struct Keeping {
  explicit Keeping(RunFolder of) : folder(std::move(of)) {}

  RunFolder folder;
  std::optional<RunWriter> writer;
  std::optional<RunRecorder> recorder;
  std::unique_ptr<Observer> observer;
  std::optional<LiveCurves> curves;
  std::optional<MetricsFile> metrics;

  void start(Trainer& trainer, const TrainingPlan& plan, const Session& session, const std::vector<Setting>& list,
             const RunRequest& request, const RanksInfo& ranks) {
    writer.emplace(start_record(folder, list, plan, session.choices(), request, ranks));
    recorder.emplace(*writer, plan.card.classes, folder.earlier);
    if (request.make_observer) observer = request.make_observer(plan.trainer.epochs, trainer.total_steps());
    if (observer) trainer.add(*observer);
    trainer.add(*recorder);
  }

  // Uses `list`, in which every setting is decided, as in the record.
  void start_monitoring(Trainer& trainer, const TrainSettings& settings, const std::vector<Setting>& list) {
    if (!settings.tensorboard.empty()) {
      const bool is_own = settings.tensorboard == kOwnTensorboard;
      const fs::path curves_folder =
          is_own ? folder.path / "tensorboard" : settings.tensorboard / fs::path(name_of(folder.path));
      curves.emplace(curves_folder, hyper_parameters(settings_json(list)), trainer.state().step,
                     settings.tensorboard_histograms);
      trainer.add(*curves);
    }
    if (!settings.metrics.empty()) {
      metrics.emplace(settings.metrics,
                      MetricLabels{{"run", name_of(folder.path)},
                                   {"model", settings.model},
                                   {"data", settings.data},
                                   {"version", build_info().version}},
                      settings.epochs, trainer.total_steps());
      trainer.add(*metrics);
    }
  }
};

void tell_opening(const TrainSettings& settings, const TrainingPlan& plan, const fs::path& folder,
                  const RunRequest& request) {
  request.remarks.news(data_text(settings, *plan.source));
  request.remarks.news(method_text(settings, plan));
  request.remarks.news(fmt::format("run folder {}", printable_text(folder.string())));
  if (request.on_folder) request.on_folder(folder);
}

void load_start(const RunFolder& folder, const TrainingPlan& plan, const TrainSettings& settings, Session& session,
                Trainer& trainer) {
  if (folder.start) {
    restore(*folder.start, plan.card, trainer);
    session.remarks.news(resumed_text(trainer, settings));
  } else if (!settings.init.empty()) {
    session.start_from(settings.init);
  }
}

// Collective: gives all ranks the first one's state and, when a run is resumed, what it had `kept` of other ranks.
void share_with_all(const Checkpoint* kept, Trainer& trainer) {
  share_start(trainer);
  const std::span<const NamedTensor> tensors = kept != nullptr ? kept->optimizer : std::span<const NamedTensor>();
  share_compression(tensors, trainer);
  share_groups(tensors, trainer);
}

int signal_of(const RunRequest& request) { return request.asked_to_stop ? request.asked_to_stop() : 0; }

// The request may have reached only some ranks, but all must end in the same way.
Interruption describe_end(const RunRequest& request, const RunFolder* folder, std::int64_t step,
                          Communicator& communicator) {
  Interruption end{.signal = static_cast<int>(communicator.max(signal_of(request))), .step = step};
  if (folder == nullptr) return end;
  const std::optional<Checkpoint> newest = folder->checkpoints.latest_state();
  if (newest) end.newest_checkpoint = newest->step;
  return end;
}

}  // namespace

FinishedRun train_run(TrainSettings& settings, const std::vector<Setting>& list, const RunRequest& request,
                      Communicator& communicator) {
  const std::chrono::milliseconds deadline(std::llround(1e3 * parse_duration("--deadline", settings.deadline)));
  communicator.transport().set_deadline(std::max<std::chrono::milliseconds>(deadline, kStartDeadline));
  decide_processes(settings, request, communicator);
  TrainingPlan plan = plan_training(settings, communicator.size(), request.remarks);
  plan.nodes = communicator.nodes().node_count();
  require_same(communicator, "settings", description(list));
  if (request.on_planned) request.on_planned();
  std::optional<Keeping> keeping;
  if (communicator.rank() == 0) {
    keeping.emplace(open_run_folder(settings, plan, request));
    require_writable_monitoring(settings);
    tell_opening(settings, plan, keeping->folder.path, request);
  }

  Session session(plan, settings, keeping ? keeping->folder.choices : RunChoices{}, communicator, request.remarks);
  // On one node there was nothing to decide.
  if (plan.nodes > 1) settings.dense_exchange = session.trained.dense->decision();
  const Schedule schedule(plan.schedule);
  Trainer trainer({session.trained.network, *session.trained.optimizer,
                   [&](std::int64_t step) { return schedule.learning_rate(step); }, *plan.source, session.evaluator,
                   &session.trained.replica, &session.timeline},
                  plan.trainer);
  const RanksInfo ranks = describe_ranks(session.trained.replica);
  if (keeping) {
    if (ranks.count > 1) request.remarks.news(fmt::format("gradients summed {}", ranks.all_reduce));
    load_start(keeping->folder, plan, settings, session, trainer);
    keeping->start(trainer, plan, session, list, request, ranks);
    keeping->start_monitoring(trainer, settings, list);
  }
  share_with_all(keeping && keeping->folder.start ? &*keeping->folder.start : nullptr, trainer);
  communicator.transport().set_deadline(deadline);
  Checkpointing checkpointing(keeping ? &keeping->folder.checkpoints : nullptr, plan.card, settings.data,
                              plan.checkpoints,
                              keeping ? kept_json(list, session.choices(), keeping->folder.data) : nullptr);
  trainer.add(checkpointing);

  Tracing tracing(session.timeline, settings.trace, keeping ? keeping->folder.path / kTraceFile : fs::path());
  if (settings.trace > 0) {
    trainer.add(tracing);
    tracing.start(trainer);
  }

  UsageRecorder usage(keeping ? &*keeping->writer : nullptr, trainer);
  trainer.add(usage);
  const Outcome outcome = trainer.run([&] { return signal_of(request) != 0; });
  FinishedRun finished;
  if (keeping) finished = {.folder = keeping->folder.path, .summary = keeping->recorder->summary(), .interruption = {}};
  if (outcome.kind == EndKind::interrupted) {
    finished.interruption =
        describe_end(request, keeping ? &keeping->folder : nullptr, trainer.state().step, communicator);
  }
  return finished;
}

FinishedRun train_run(TrainSettings settings, const RunRequest& request) {
  const std::vector<Setting> list = train_setting_list(settings);
  SoloTransport alone;
  Communicator communicator(alone);
  RunRequest filled = request;
  if (!filled.threads.exactly) filled.threads.exactly = settings.threads;
  return train_run(settings, list, filled, communicator);
}

}  // namespace convoy
