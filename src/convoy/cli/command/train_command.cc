#include "convoy/cli/command/commands.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <memory>

#include "convoy/base/error.h"
#include "convoy/base/number_text.h"
#include "convoy/base/printable_text.h"
#include "convoy/checkpoint/checkpoint_store.h"
#include "convoy/cli/launch/go_on.h"
#include "convoy/cli/launch/interrupt.h"
#include "convoy/cli/launch/launch.h"
#include "convoy/cli/launch/launcher_lines.h"
#include "convoy/cli/launch/rank_environment.h"
#include "convoy/cli/launch/world.h"
#include "convoy/cli/settings/setting_flags.h"
#include "convoy/cli/terminal/notes.h"
#include "convoy/cli/terminal/progress_display.h"
#include "convoy/cli/terminal/terminal.h"
#include "convoy/record/run_record.h"
#include "convoy/run/all_reduce_cache.h"
#include "convoy/run/run_folder.h"
#include "convoy/run/settings/amounts.h"
#include "convoy/run/settings/kept_settings.h"
#include "convoy/run/settings/settings_file.h"
#include "convoy/run/train_run.h"

namespace convoy::cli {
namespace {

namespace fs = std::filesystem;

// A long deadline, because ranks may be started one after the other.
constexpr std::chrono::minutes kStartDeadline{10};

struct TrainFlags {
  TrainSettings settings;
  std::vector<Setting> list = train_setting_list(settings);
  std::unique_ptr<SettingFlags> flags;
  std::string config;
  std::string resume;
  std::optional<int> workers_of_run;  // of the run that is resumed or repeated
  bool accepts_altered = false;
  bool quiet = false;
  bool json = false;
  bool dry_run = false;
};

// How many workers the run in a folder had, whatever the flags say.
int workers_of(const fs::path& run) {
  TrainSettings settings;
  const auto nothing_given = [](const std::string&) { return false; };
  read_run_settings(run, train_setting_list(settings), nothing_given, Altered::not_looked_for, [](const auto&) {});
  return settings.workers.value_or(1);
}

// Only one process prints notes: the launcher, or the first rank if convoy did not launch it.
OnNote note_of_one_process() {
  const auto launched = launched_rank(environment_variable);
  const bool silent = launched && (launched->rank != 0 || environment_variable(kReadsNotices));
  return silent ? OnNote([](const std::string&) {}) : OnNote(print_note);
}

void read_settings(TrainFlags& flags, const fs::path& file) {
  read_settings_file(file, flags.list, [&](const std::string& key) { return flags.flags->overrides(key); });
  const bool of_run = file.filename() == kResolvedFile && is_run_folder(file.parent_path());
  if (of_run) flags.workers_of_run = workers_of(file.parent_path());
  // Paths in a file are relative to the file's folder.
  fs::path choices = flags.settings.choices;
  if (!choices.empty() && choices.is_relative() && !flags.flags->is_given("choices")) {
    flags.settings.choices = (file.parent_path() / choices).string();
  }
}

void refuse_changes(const TrainFlags& flags) {
  for (const Setting& setting : flags.list) {
    if (!flags.flags->is_given(setting.key) || may_change(setting.key)) continue;
    throw UserError("--{} cannot change when a run goes on; leave it out, or start a new run with --init {}",
                    setting.key, flags.resume);
  }
}

// How many epochs the checkpoint has from which the run goes on.
std::int64_t epochs_done(const fs::path& run) {
  const std::optional<Checkpoint> state = CheckpointStore(run / kCheckpointsFolder).latest_state();
  return state ? state->epoch : 0;
}

// For a run that goes on, --epochs is the total number; if it already has that many, it is how many more.
void extend(TrainFlags& flags, std::int64_t asked) {
  if (!flags.flags->is_given("epochs")) return;
  const std::int64_t done = epochs_done(flags.resume);
  flags.settings.epochs = asked > done ? asked : done + asked;
}

void prepare_resume(TrainFlags& flags) {
  if (!flags.config.empty()) throw UserError("--resume goes on with the run's own settings; leave --config out");
  if (!is_run_folder(flags.resume)) throw UserError("--resume: {} holds no run", flags.resume);
  refuse_changes(flags);
  const std::int64_t asked = flags.settings.epochs;
  const auto is_given = [&](const std::string& key) { return flags.flags->overrides(key); };
  read_run_settings(flags.resume, flags.list, is_given, flags.accepts_altered ? Altered::accepted : Altered::refused,
                    note_of_one_process());
  flags.workers_of_run = workers_of(flags.resume);
  extend(flags, asked);
  flags.settings.run_dir = flags.resume;
}

void print_json(const FinishedRun& run) {
  nlohmann::ordered_json json = to_json(run.summary);
  json["run_dir"] = run.folder.string();
  fmt::print("{}\n", json.dump());
}

void print_result(const FinishedRun& run) {
  const RunSummary& s = run.summary;
  if (s.test_top1) {
    fmt::print("\ntest accuracy  {:.2f} % (error {:.2f} %)", 100 * *s.test_top1, 100 * (1 - *s.test_top1));
    if (s.best_epoch) fmt::print("; best {:.2f} % after epoch {}", 100 * *s.best_test_top1, *s.best_epoch);
    fmt::print("\n");
  }
  fmt::print("time           {} for {} epoch{}", duration_text(s.total_seconds), s.epochs, s.epochs == 1 ? "" : "s");
  // A run that ended within its first epoch has measured neither speed nor memory.
  if (std::isfinite(s.throughput.median)) fmt::print("; {:.0f} samples/s (median)", s.throughput.median);
  fmt::print("\n");
  if (s.peak_memory_bytes > 0) {
    fmt::print("memory         {} at most\n", bytes_text(static_cast<double>(s.peak_memory_bytes)));
  }
  fmt::print("run folder     {}\n", printable_text(run.folder.string()));
}

// Adds a setting that decides which workers train, as a flag. The run itself remembers all others.
void add_flag(const std::string& key, const TrainFlags& flags, std::vector<std::string>& words) {
  const auto setting = std::ranges::find(flags.list, key, &Setting::key);
  const std::string toml = setting->toml();
  if (toml.empty()) return;
  const auto json = nlohmann::json::parse(toml);
  const std::string value = json.is_string() ? json.get<std::string>() : toml;
  if (!value.empty()) words.insert(words.end(), {"--" + key, value});
}

std::vector<std::string> command_to_go_on(const TrainFlags& flags) {
  const std::vector<std::string> own = command_line();
  std::vector<std::string> words = {own.empty() ? "convoy" : own.front(), "train"};
  add_flag("workers", flags, words);
  add_flag("hosts", flags, words);
  if (flags.flags->is_given("threads")) add_flag("threads", flags, words);
  if (flags.quiet) words.emplace_back("--quiet");
  if (flags.json) words.emplace_back("--json");
  return words;
}

// How many workers there will be: for a rank, as many as its launcher started.
int workers_asked_for(const TrainFlags& flags) {
  const auto launched = launched_rank(environment_variable);
  return launched && launched->size > 0 ? launched->size : flags.settings.workers.value_or(1);
}

// A number of threads is kept, whether it comes from a flag, a file or the run itself. The exception is a run that goes
// on or is repeated with another number of workers: its sums are rounded differently anyway, so workers take at most
// their share of the cores.
ThreadWish thread_wish(const TrainFlags& flags) {
  // If convoy's launcher started this rank, it has already printed the note.
  const bool is_told = environment_variable(kReadsNotices).has_value();
  const bool others = flags.workers_of_run && *flags.workers_of_run != workers_asked_for(flags);
  if (others && !flags.flags->is_given("threads") && !flags.settings.reproducible) {
    return {.exactly = {}, .at_most = flags.settings.threads, .is_told = is_told};
  }
  return {.exactly = flags.settings.threads, .at_most = {}, .is_told = is_told};
}

// Returns whether workers did the training, or it was a dry run. For a rank, the number of workers is what its launcher
// started, whatever a file says.
bool train_on_workers(TrainFlags& flags) {
  TrainSettings& settings = flags.settings;
  if (!flags.flags->is_given("workers") && started_as_rank()) settings.workers.reset();
  return launch({.workers = settings.workers,
                 .hosts = settings.hosts,
                 .dry_run = flags.dry_run,
                 .to_go_on = command_to_go_on(flags)},
                thread_wish(flags));
}

// If the ranks are lost, the launcher uses this to say how the run can go on.
void tell_launcher(const fs::path& folder) {
  if (environment_variable(kReadsNotices)) say("{}", folder_notice(fs::absolute(folder).string()));
}

RunRequest run_request(const TrainFlags& flags, DisplayKind display, std::optional<Interrupt>& interrupt) {
  RunRequest request{.command_line = command_line(),
                     .resumes = !flags.resume.empty(),
                     .accepts_altered = flags.accepts_altered,
                     .threads = thread_wish(flags),
                     .remarks = terminal_remarks()};
  if (display == DisplayKind::full) request.remarks.on_news = [](const std::string& line) { say("{}\n", line); };
  // Signals are handled from here on, when there is a folder and something to say about it.
  request.on_planned = [&interrupt] { interrupt.emplace(stop_channel()); };
  request.on_folder = tell_launcher;
  request.make_observer = [display](std::int64_t epochs, std::int64_t steps) {
    return std::make_unique<ProgressDisplay>(display, epochs, steps);
  };
  request.asked_to_stop = Interrupt::signal;
  return request;
}

void end_if_interrupted(const FinishedRun& run) {
  if (!run.interruption) return;
  const Interruption& end = *run.interruption;
  if (!run.folder.empty()) say("{}\n", interruption_text(run.folder, end.step, end.newest_checkpoint));
  throw Interrupted{end.signal};
}

void run_train(TrainFlags& flags) {
  outlive_readers();
  if (flags.accepts_altered && flags.resume.empty()) throw UserError("--accept-altered goes with --resume only");
  if (!flags.resume.empty()) {
    prepare_resume(flags);
  } else if (!flags.config.empty()) {
    read_settings(flags, flags.config);
  }
  if (train_on_workers(flags)) return;
  const DisplayKind display = flags.json    ? DisplayKind::nothing
                              : flags.quiet ? DisplayKind::rows_only
                                            : DisplayKind::full;
  std::optional<Interrupt> interrupt;
  const RunRequest request = run_request(flags, display, interrupt);
  in_world(kStartDeadline, [&](World& world) {
    Communicator communicator(world.transport(),
                              {.table = all_reduce_table_for(world.transport(), all_reduce_cache_folder())});
    const FinishedRun run = train_run(flags.settings, flags.list, request, communicator);
    end_if_interrupted(run);
    if (world.is_first()) flags.json ? print_json(run) : print_result(run);
  });
}

}  // namespace

void add_train_command(CLI::App& app) {
  CLI::App* const command = app.add_subcommand("train", "Train a network, test it, and keep it in a run folder");
  const auto flags = std::make_shared<TrainFlags>();
  flags->flags = std::make_unique<SettingFlags>(*command, flags->list);
  command->add_option("--config", flags->config, "Settings from a TOML file with the long flags as keys; flags win")
      ->type_name("FILE");
  command
      ->add_option("--resume", flags->resume,
                   "Go on with the run in DIR; --epochs N then trains until it has N, or N more if it has them already")
      ->type_name("DIR");
  command->add_flag("--accept-altered", flags->accepts_altered,
                    "--resume: go on with settings or kernels that were altered in the run's folder");
  command->add_flag("--dry-run", flags->dry_run, "Print the command that would start the workers, and do nothing")
      ->group("Workers");
  command->add_flag("--quiet", flags->quiet, "Print a row for each epoch and the result, no progress");
  command->add_flag("--json", flags->json, "Print one JSON object in the end and nothing else");
  command->footer(
      "Examples:\n"
      "  convoy train --data fashion-mnist --model resnet20 --epochs 3\n"
      "  convoy train --data folder:photos --model resnet18 --image-size 64 --schedule cosine --warmup 1\n"
      "  convoy train --data cifar10 --model resnet20 --workers 4\n"
      "  convoy train --resume runs/2026-11-16T0312-resnet20-fashion-mnist --epochs 5\n"
      "  convoy train --config runs/2026-11-16T0312-resnet20-fashion-mnist/resolved.toml");
  command->callback([flags] { run_train(*flags); });
}

}  // namespace convoy::cli
