#include "convoy/run/run_folder.h"

#include <fmt/format.h>

#include <chrono>
#include <system_error>

#include "convoy/base/error.h"
#include "convoy/base/file/atomic_file.h"
#include "convoy/base/file/writable_folder.h"
#include "convoy/kernels/backend_info.h"
#include "convoy/record/run_name.h"
#include "convoy/record/run_record.h"
#include "convoy/run/run_room.h"
#include "convoy/run/settings/settings_file.h"

namespace convoy {
namespace {

namespace fs = std::filesystem;

// The dated folder is made at once: two runs that start in the same minute must not get the same.
fs::path new_folder(const TrainSettings& settings) {
  if (!settings.run_dir.empty()) return settings.run_dir;
  return make_run_folder("runs", default_run_name(settings.model, settings.data, std::chrono::system_clock::now()));
}

// Of the checkpoints that are there.
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

// As a file beside the run's: it names its choices, and leaves open where the repetition goes.
std::string repeatable_toml(const std::vector<Setting>& list) {
  std::vector<Setting> kept;
  for (const Setting& setting : list) {
    if (setting.key != "run-dir" && setting.key != "choices") kept.push_back(setting);
  }
  std::string choices = kChoicesFolder;
  SettingGroup("Run", kept).add("choices", choices, "", "");
  return settings_toml(kept);
}

void open_to_continue(RunFolder& folder, const RunRequest& request) {
  const RunRecord record = read_run_to_continue(folder.path);
  for (const std::string& note : record.notes) request.remarks.note(note);
  folder.earlier = record.summary;
  if (!folder.checkpoints.empty()) folder.start = folder.checkpoints.latest();
  folder.choices = choices_to_continue(folder.path, folder.start, request.accepts_altered,
                                       [&](const std::string& note) { request.remarks.note(note); });
}

}  // namespace

RunFolder open_run_folder(const TrainSettings& settings, const TrainingPlan& plan, const RunRequest& request) {
  const fs::path path = request.resumes ? fs::path(settings.run_dir) : new_folder(settings);
  RunFolder folder{.path = path,
                   .checkpoints = CheckpointStore(path / kCheckpointsFolder, request.remarks.on_note),
                   .start = std::nullopt,
                   .choices = {},
                   .earlier = {}};
  if (!request.resumes) require_unused(path);
  require_writable_folder(path, room_for_run(plan, bytes_in(folder.checkpoints.folder())));
  if (request.resumes) {
    open_to_continue(folder, request);
  } else if (!settings.choices.empty()) {
    folder.choices = read_choices(settings.choices);
  }
  return folder;
}

RanksInfo describe_ranks(Replica& replica) {
  RanksInfo info{.count = replica.size(), .all_reduce = {}, .hosts = {}};
  if (replica.size() > 1) info.all_reduce = replica.reducer().description();
  const auto hosts = replica.communicator().gather(to_json(read_host()).dump());
  if (hosts.empty()) return info;
  for (const int leader : replica.communicator().nodes().leaders()) {
    info.hosts.push_back(host_info_from(nlohmann::ordered_json::parse(hosts[static_cast<std::size_t>(leader)])));
  }
  return info;
}

RunWriter start_record(const RunFolder& folder, const std::vector<Setting>& list, const RunChoices& choices,
                       const RunRequest& request, const RanksInfo& ranks) {
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
  write_file_atomically(folder.path / kResolvedFile, repeatable_toml(list));
  writer.watch(folder.path / kResolvedFile);
  writer.watch(folder.path / kChoicesFolder / kTrainingChoices);
  writer.watch(folder.path / kChoicesFolder / kEvaluationChoices);
  return writer;
}

}  // namespace convoy
