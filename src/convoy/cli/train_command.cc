#include "convoy/cli/train_command.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <memory>

#include "convoy/base/error.h"
#include "convoy/base/machine.h"
#include "convoy/base/number_text.h"
#include "convoy/base/printable_text.h"
#include "convoy/cli/all_reduce_cache.h"
#include "convoy/cli/command_line.h"
#include "convoy/cli/duration_text.h"
#include "convoy/cli/launch.h"
#include "convoy/cli/rank_environment.h"
#include "convoy/cli/run_folder.h"
#include "convoy/cli/setting_flags.h"
#include "convoy/cli/train_run.h"
#include "convoy/cli/world.h"
#include "convoy/record/run_record.h"

namespace convoy::cli {
namespace {

namespace fs = std::filesystem;

// Ranks may be started one after the other.
constexpr std::chrono::minutes kStartDeadline{10};

struct TrainFlags {
  TrainSettings settings;
  std::vector<Setting> list = train_setting_list(settings);
  std::unique_ptr<SettingFlags> flags;
  std::string config;
  std::string resume;
  bool quiet = false;
  bool json = false;
  bool dry_run = false;
};

// What may change when a run goes on: where it ends, and what has no influence on its numbers.
constexpr std::array kMayChange = {"epochs", "max-time", "target-accuracy", "patience",       "checkpoint-every",
                                   "keep",   "threads",  "data-dir",        "loader-threads", "workers",
                                   "hosts"};

void read_settings(TrainFlags& flags, const fs::path& file) {
  read_settings_file(file, flags.list, [&](const std::string& key) { return flags.flags->is_given(key); });
  // Paths in a file are meant from where it is.
  fs::path choices = flags.settings.choices;
  if (!choices.empty() && choices.is_relative() && !flags.flags->is_given("choices")) {
    flags.settings.choices = (file.parent_path() / choices).string();
  }
}

void refuse_changes(const TrainFlags& flags) {
  for (const Setting& setting : flags.list) {
    if (!flags.flags->is_given(setting.key) || std::ranges::find(kMayChange, setting.key) != kMayChange.end()) continue;
    throw UserError("--{} cannot change when a run goes on; leave it out, or start a new run with --init {}",
                    setting.key, flags.resume);
  }
}

std::int64_t epochs_done(const fs::path& run) {
  const RunRecord record = read_run(run);
  return record.epochs.empty() ? 0 : record.epochs.back().epoch;
}

// --epochs of a run that goes on is how many it is to have; when it has them already, how many more.
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
  read_settings(flags, fs::path(flags.resume) / kResolvedFile);
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
  fmt::print("time           {} for {} epoch{}; {:.0f} samples/s (median)\n", duration_text(s.total_seconds), s.epochs,
             s.epochs == 1 ? "" : "s", s.throughput.median);
  fmt::print("memory         {} at most\n", bytes_text(static_cast<double>(s.peak_memory_bytes)));
  fmt::print("run folder     {}\n", printable_text(run.folder.string()));
}

// Whether workers did it, or it was a dry run. A rank has as many fellows as its launcher started, whatever a file
// says.
bool train_on_workers(TrainFlags& flags) {
  TrainSettings& settings = flags.settings;
  if (!flags.flags->is_given("workers") && started_as_rank()) settings.workers.reset();
  // All cores is what a run of one worker writes down; any other number in a file was meant.
  const bool chosen = !flags.config.empty() && settings.threads != read_machine().usable_cores;
  const auto threads = chosen || flags.flags->is_given("threads") ? std::optional(settings.threads) : std::nullopt;
  return launch({.workers = settings.workers, .hosts = settings.hosts, .dry_run = flags.dry_run}, threads);
}

void run_train(TrainFlags& flags) {
  if (!flags.resume.empty()) {
    prepare_resume(flags);
  } else if (!flags.config.empty()) {
    read_settings(flags, flags.config);
  }
  if (train_on_workers(flags)) return;
  const DisplayKind display = flags.json    ? DisplayKind::nothing
                              : flags.quiet ? DisplayKind::rows_only
                                            : DisplayKind::full;
  const RunRequest request{.command_line = command_line(),
                           .resumes = !flags.resume.empty(),
                           .threads_given = flags.flags->is_given("threads"),
                           .display = display};
  in_world(kStartDeadline, [&](World& world) {
    Communicator communicator(world.transport(),
                              {.table = all_reduce_table_for(world.transport(), all_reduce_cache_folder())});
    const FinishedRun run = train_run(flags.settings, flags.list, request, communicator);
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
