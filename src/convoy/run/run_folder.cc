#include "convoy/run/run_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <system_error>

#include "convoy/base/error.h"
#include "convoy/base/file/atomic_file.h"
#include "convoy/base/file/writable_folder.h"
#include "convoy/base/number_text.h"
#include "convoy/graph/parameters.h"
#include "convoy/kernels/backend_info.h"
#include "convoy/optim/optimizer.h"
#include "convoy/record/run_name.h"
#include "convoy/record/run_record.h"
#include "convoy/run/settings/settings_file.h"

namespace convoy {
namespace {

// An upper limit for the name and shape of a tensor in a file's header.
constexpr std::int64_t kHeaderBytes = 200;
// An upper limit, as measured, for a step in steps.jsonl and steps.csv together.
constexpr std::int64_t kStepBytes = 600;
// Everything else in the folder: settings, choices, summaries.
constexpr std::int64_t kOtherBytes = 1 << 20;

struct CheckpointSize {
  std::int64_t weights = 0;
  std::int64_t optimizer = 0;

  [[nodiscard]] std::int64_t total() const { return weights + optimizer + kHeaderBytes; }
};

// One value for each parameter and for each optimizer state of it; batch norms have a running mean and variance besides
// scale and shift.
CheckpointSize size_of_checkpoint(const TrainingPlan& plan) {
  constexpr auto kFloat = static_cast<std::int64_t>(sizeof(float));
  const auto states = static_cast<std::int64_t>(make_optimizer(plan.optimizer, 1)->state().size());
  // Each node keeps an error; a single node compresses nothing and keeps none.
  const std::int64_t errors = keeps_error(plan.reducer.compression.codec) && plan.nodes > 1 ? plan.nodes : 0;
  // Within a block each group but the first saves its own model and optimizer states; the block's model and change are
  // saved once.
  const std::int64_t groups = plan.nodes > 1 ? plan.nodes : plan.workers;
  const std::int64_t local = plan.reducer.local.steps > 1 ? (groups - 1) * (states + 1) + 2 : 0;
  CheckpointSize size;
  for (const Parameter& parameter : parameters_of(plan.graph)) {
    const bool of_batch_norm = parameter.role == ParameterRole::scale || parameter.role == ParameterRole::shift;
    const std::int64_t bytes = parameter.shape.count() * kFloat + kHeaderBytes;
    size.weights += bytes * (of_batch_norm ? 2 : 1);
    if (plan.frozen.contains(parameter.name)) continue;
    size.optimizer += (states + local) * bytes;
    if (errors > 0 && parameter.role == ParameterRole::weight) size.optimizer += errors * bytes;
  }
  // The average is saved in the checkpoint and in a file of its own.
  if (plan.trainer.average_decay > 0) size.optimizer += 2 * size.weights;
  return size;
}

std::int64_t steps_per_epoch(const TrainingPlan& plan) {
  return steps_of_epoch(plan.trainer, plan.source->size(data::Split::train));
}

// When checkpoints are saved by time, their number is not known: one more per epoch is a guess.
std::int64_t saves_of(const TrainingPlan& plan) {
  const std::int64_t every = plan.checkpoints.every_steps;
  const std::int64_t within = every > 0                                       ? steps_per_epoch(plan) / every
                              : std::isfinite(plan.checkpoints.every_seconds) ? 1
                                                                              : 0;
  return plan.trainer.epochs * (1 + within);
}

// A run that may end early is not refused for room that it will hardly need: only one epoch is counted.
std::int64_t record_bytes(const TrainingPlan& plan) {
  const StopOptions& stop = plan.trainer.stop;
  const bool may_end_early = stop.target_top1 || stop.patience > 0 || std::isfinite(stop.max_seconds);
  return (may_end_early ? 1 : plan.trainer.epochs) * steps_per_epoch(plan) * plan.workers * kStepBytes + kOtherBytes;
}

}  // namespace

std::int64_t most_copies(std::int64_t saves, int keep, bool has_best) {
  if (saves == 0 || keep == 0) return 0;
  const std::int64_t earlier = std::min<std::int64_t>(saves - 1, keep);
  const std::int64_t best = has_best ? 1 : 0;
  return earlier + (saves > 1 ? best : 0) + 1 + best;
}

RoomNeeded room_for_run(const TrainingPlan& plan, std::int64_t present_bytes) {
  const CheckpointSize size = size_of_checkpoint(plan);
  const int keep = plan.checkpoints.keep;
  const bool has_best = plan.trainer.evaluate_every > 0;
  const std::int64_t copies = most_copies(saves_of(plan), keep, has_best);
  // At least one checkpoint still has to be written.
  const std::int64_t checkpoints =
      std::max(most_copies(1, keep, has_best) * size.total(), copies * size.total() - present_bytes);
  RoomNeeded room{.bytes = checkpoints + record_bytes(plan), .largest_file_bytes = 0, .what = "for its records"};
  if (copies == 0) return room;
  room.largest_file_bytes = std::max(size.weights, size.optimizer);
  room.what = fmt::format("for {} checkpoints of {} at once, with --keep {}, and the records", copies,
                          bytes_text(static_cast<double>(size.total())), keep);
  return room;
}

namespace {

namespace fs = std::filesystem;

// The dated folder is made at once, so that two runs that start in the same minute get different ones.
fs::path new_folder(const TrainSettings& settings) {
  if (!settings.run_dir.empty()) return settings.run_dir;
  return make_run_folder("runs", default_run_name(settings.model, settings.data, std::chrono::system_clock::now()));
}

// The size of all files below a folder.
std::int64_t bytes_in(const fs::path& folder) {
  std::int64_t bytes = 0;
  std::error_code error;
  for (fs::recursive_directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    std::error_code unknown;
    if (at->is_regular_file(unknown)) bytes += static_cast<std::int64_t>(at->file_size(unknown));
  }
  return bytes;
}

void require_unused(const fs::path& folder) {
  if (!is_run_folder(folder)) return;
  throw UserError("{} holds a run already; go on with it by --resume {}, or give another --run-dir", folder.string(),
                  folder.string());
}

// The settings for resolved.toml: they refer to the choices beside the file, and leave the run folder open, so that
// another run can use them.
std::string repeatable_toml(const std::vector<Setting>& list) {
  std::vector<Setting> kept;
  for (const Setting& setting : list) {
    if (setting.key != "run-dir" && setting.key != "choices") kept.push_back(setting);
  }
  std::string choices = kChoicesFolder;
  SettingGroup("Run", kept).add("choices", choices, "", "");
  return settings_toml(kept);
}

void open_to_continue(RunFolder& folder, const TrainSettings& settings, const RunRequest& request) {
  const RunRecord record = read_run_to_continue(folder.path);
  for (const std::string& note : record.notes) request.remarks.note(note);
  folder.earlier = record.summary;
  if (!folder.checkpoints.empty()) folder.start = folder.checkpoints.latest();
  const auto on_note = [&](const std::string& note) { request.remarks.note(note); };
  folder.choices = choices_to_continue(folder.path, folder.start, request.accepts_altered, on_note);
  require_same_data(folder.data, settings.data, folder.start, request.accepts_altered, on_note);
}

}  // namespace

RunFolder open_run_folder(const TrainSettings& settings, const TrainingPlan& plan, const RunRequest& request) {
  const fs::path path = request.resumes ? fs::path(settings.run_dir) : new_folder(settings);
  RunFolder folder{.path = path,
                   .checkpoints = CheckpointStore(path / kCheckpointsFolder, request.remarks.on_note),
                   .start = std::nullopt,
                   .choices = {},
                   .data = data::digest_of(*plan.source),
                   .earlier = {}};
  if (!request.resumes) require_unused(path);
  require_writable_folder(path, room_for_run(plan, bytes_in(folder.checkpoints.folder())));
  if (request.resumes) {
    open_to_continue(folder, settings, request);
  } else if (!settings.choices.empty()) {
    folder.choices = read_choices(settings.choices);
  }
  return folder;
}

RanksInfo describe_ranks(Replica& replica) {
  RanksInfo info{.count = replica.size(), .all_reduce = {}, .hosts = {}};
  if (replica.size() > 1) info.all_reduce = replica.reducer().description();
  if (replica.local() != nullptr) {
    const bool never_together = replica.local()->options().after == 0;
    info.all_reduce = (never_together ? "inside groups" : info.all_reduce) + "; " + replica.local()->description();
  }
  if (replica.async() != nullptr) info.all_reduce = replica.async()->description();
  const auto hosts = replica.communicator().gather(to_json(read_host()).dump());
  if (hosts.empty()) return info;
  for (const int leader : replica.communicator().nodes().leaders()) {
    info.hosts.push_back(host_info_from(nlohmann::ordered_json::parse(hosts[static_cast<std::size_t>(leader)])));
  }
  return info;
}

RunWriter start_record(const RunFolder& folder, const std::vector<Setting>& list, const TrainingPlan& plan,
                       const RunChoices& choices, const RunRequest& request, const RanksInfo& ranks) {
  RunInfo info = describe_run(request.command_line, settings_json(list));
  const kernels::BackendInfo backend = kernels::backend_info();
  info.ranks = ranks.count;
  info.all_reduce = ranks.all_reduce;
  info.hosts = ranks.hosts;
  info.libraries[backend.library] = backend.version;
  const std::int64_t step = folder.start ? folder.start->step : 0;
  RunWriter writer = request.resumes ? RunWriter::continue_from(folder.path, std::move(info), step)
                                     : RunWriter::create(folder.path, info);
  write_choices(folder.path / kChoicesFolder, choices);
  if (!plan.card.network.empty()) write_file_atomically(folder.path / kNetworkFile, plan.card.network);
  write_file_atomically(folder.path / kResolvedFile, repeatable_toml(list));
  writer.watch(folder.path / kResolvedFile);
  writer.watch(folder.path / kChoicesFolder / kTrainingChoices);
  writer.watch(folder.path / kChoicesFolder / kEvaluationChoices);
  return writer;
}

}  // namespace convoy
