#include "convoy/cli/command/commands.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include "convoy/base/error.h"
#include "convoy/base/file/atomic_file.h"
#include "convoy/base/file/folder.h"
#include "convoy/base/file/input_file.h"
#include "convoy/base/machine.h"
#include "convoy/base/shell_text.h"
#include "convoy/base/text_table.h"
#include "convoy/cli/command/study/study_child.h"
#include "convoy/cli/command/study/study_commands.h"
#include "convoy/cli/command/study/study_forecast.h"
#include "convoy/cli/launch/launch_plan.h"
#include "convoy/cli/settings/setting_flags.h"
#include "convoy/cli/settings/study_settings.h"
#include "convoy/cli/terminal/notes.h"
#include "convoy/cli/terminal/terminal.h"
#include "convoy/record/run_name.h"
#include "convoy/run/named_network.h"
#include "convoy/run/settings/amounts.h"
#include "convoy/run/settings/settings_file.h"
#include "convoy/study/plan/study_spec.h"
#include "convoy/study/run/study_runner.h"

namespace convoy::cli {
namespace {

namespace fs = std::filesystem;

struct StudyFlags {
  explicit StudyFlags(const StudyForm& form) : settings(form) {}

  StudySettings settings;
  std::unique_ptr<SettingFlags> flags;
  std::string config;
  bool dry_run = false;
  bool repeat_disturbed = false;
  bool json = false;
  std::string predict;
};

constexpr const char* kRepeatDisturbed = "Run once more, up to twice, what others disturbed by using the cores";

struct StudyCommand {
  std::string name;
  std::string description;
  std::string footer;
  StudyForm form;
};

std::string powers_of_two_up_to(int most) {
  std::string text = "1";
  for (int n = 2; n <= most; n *= 2) text += fmt::format(",{}", n);
  return text;
}

// For throughput neither accuracy nor checkpoints are needed, and generated images cost nothing to read.
std::map<std::string, std::string> throughput_defaults() {
  return {{"model", "resnet20"},
          {"data", "synthetic:3x32x32,count=2048"},
          {"epochs", "4"},
          {"eval-every", "0"},
          {"keep", "0"}};
}

StudyForm scale_form() {
  StudyForm form{.kind = study::StudyKind::scale,
                 .main_axis = "workers",
                 .axes = {"threads", "scaling", "allreduce", "batch"},
                 .defaults = throughput_defaults()};
  form.defaults["workers"] = powers_of_two_up_to(read_machine().usable_cores);
  form.defaults["scaling"] = "strong";
  return form;
}

StudyForm batch_form() {
  StudyForm form{
      .kind = study::StudyKind::batch, .main_axis = "batch", .axes = {"threads"}, .defaults = throughput_defaults()};
  form.defaults["batch"] = "8,16,32,64,128,256";
  return form;
}

StudyForm sweep_form() {
  return {.kind = study::StudyKind::sweep,
          .main_axis = "lr",
          .axes = {"batch", "workers"},
          .defaults = {{"epochs", "5"}, {"keep", "1"}},
          .repeats = 0,
          .skipped_epochs = 0};
}

StudyForm converge_form() {
  return {.kind = study::StudyKind::converge,
          .main_axis = "",
          .axes = {"workers", "instances", "batch", "cutout"},
          .defaults = {{"epochs", "10"}, {"keep", "1"}}};
}

void print_plan(const study::StudySpec& spec, const StudyEstimate& estimate) {
  TextTable table({"run", "point", "repeat", "seed", "marks"});
  int number = 0;
  for (const study::PlannedRun& run : study::plan_runs(spec)) {
    table.add_row({fmt::format("{}", ++number), study::point_text(run.point), fmt::format("{}", run.repeat),
                   study::settings_of(spec, run).at("seed"), run.oversubscribed ? "oversubscribed" : ""});
  }
  fmt::print("{}", table.to_string());
  fmt::print("\nabout {} in all, at {:.0f} GFLOP/s for each core (a guess, good to a factor of two or so{})\n",
             duration_text(estimate.seconds), estimate.gflops,
             spec.halving ? "; points that are given up take less" : "");
}

// Shows the command of the first run, as an example.
void print_first_command(const study::StudySpec& spec, const fs::path& folder) {
  const study::StudyFolder imagined = study::StudyFolder::imagined(folder, spec);
  const study::PlannedRun run = study::plan_runs(spec).front();
  const study::Task task{run, std::stoll(study::value_at(spec, run.point, "epochs", "1"))};
  fmt::print("\nthe first run is\n  {}\n", shell_text(child_command("convoy", imagined, task, TaskStart::fresh)));
}

fs::path folder_for(const StudySettings& settings) {
  if (!settings.folder().empty()) return settings.folder();
  const TrainSettings& train = settings.train();
  const std::string model = train.network.empty() ? open_network(train.model).name : train.model;
  const std::string name = default_run_name(model, train.data, std::chrono::system_clock::now());
  return make_run_folder("studies", name);
}

void run_again_what_is_gone(study::StudyFolder& folder) {
  const std::vector<std::string> gone = folder.forget_gone();
  if (gone.empty()) return;
  say("{} {} no record any more and will be run again: {}\n", gone.size(), gone.size() == 1 ? "run has" : "runs have",
      fmt::join(gone, ", "));
}

// Points are repeated only if the study takes no longer than this.
constexpr double kPatienceSeconds = 3600;

// Decides how often a point is run if the user has not said it. A study that has begun keeps its number.
void settle_repeats(const StudySettings& settings, study::StudySpec& spec, StudyEstimate& estimate) {
  if (!settings.repeats_are_open()) return;
  const bool has_begun = !settings.folder().empty() && study::is_study_folder(settings.folder());
  const int repeats = has_begun ? study::StudyFolder::open(settings.folder()).spec().repeats
                                : (estimate.seconds <= kPatienceSeconds ? kUsualRepeats : 1);
  estimate.seconds *= static_cast<double>(repeats) / spec.repeats;
  spec.repeats = repeats;
}

// Reads networks that were given as files; from here on they have the names used as keys.
std::map<std::string, std::string> take_networks(study::StudySpec& spec) {
  std::map<std::string, std::string> texts;
  const auto take = [&](std::string& model) {
    const NamedNetwork network = open_network(model);
    if (network.text.empty()) return;
    const auto [known, is_new] = texts.emplace(network.name, network.text);
    if (!is_new && known->second != network.text) {
      throw UserError("two networks are called {}; rename a file", network.name);
    }
    model = network.name;
  };
  const auto fixed = spec.settings.find("model");
  const bool has_text = spec.settings.contains("network");
  if (fixed != spec.settings.end() && !has_text) take(fixed->second);
  for (study::Axis& axis : spec.axes) {
    if (axis.key == "model") std::ranges::for_each(axis.values, take);
  }
  return texts;
}

// A study that goes on keeps the networks that it began with.
void keep_networks(const study::StudyFolder& folder, const std::map<std::string, std::string>& texts) {
  for (const auto& [name, text] : texts) {
    const fs::path file = folder.network_file(name);
    if (fs::exists(file)) {
      if (read_file(file) == text) continue;
      throw UserError("{} trains {} as it was when the study began; give another --study-dir for a changed network",
                      folder.path().string(), name);
    }
    make_folder(file.parent_path());
    write_file_atomically(file, text);
  }
}

void run_study(StudyFlags& flags) {
  outlive_readers();
  StudySettings& settings = flags.settings;
  if (!flags.config.empty()) {
    read_settings_file(flags.config, settings.list(),
                       [&](const std::string& key) { return flags.flags->overrides(key); });
  }
  const std::vector<std::int64_t> predicted = predicted_sizes_from(flags.predict);
  const Machine machine = read_machine();
  study::StudySpec spec = settings.spec(machine.usable_cores, command_line());
  spec.predicted_sizes = predicted;
  // Before anything runs, so that impossible points are reported at once and not in the middle.
  require_possible(spec, machine.available_memory_bytes);
  StudyEstimate estimate = estimate_study(spec, settings.train());
  settle_repeats(settings, spec, estimate);
  if (flags.dry_run) {
    print_plan(spec, estimate);
    print_first_command(spec, settings.folder().empty() ? fs::path("studies") / "STUDY" : fs::path(settings.folder()));
    return;
  }
  const std::map<std::string, std::string> networks = take_networks(spec);
  study::StudyFolder folder = study::StudyFolder::create(folder_for(settings), spec);
  keep_networks(folder, networks);
  for (const std::string& note : folder.notes()) print_note(note);
  run_again_what_is_gone(folder);
  const study::StudyProgress progress = study::progress_of(folder);
  say("{} of {} runs to do, about {}{}; study folder {}\n", progress.total - progress.ended, progress.total,
      duration_text(estimate.seconds), spec.retrain_epochs > 0 ? ", then the best once more" : "",
      folder.path().string());
  run_study_to_end(folder, {.estimated_seconds = estimate.seconds,
                            .repeat_disturbed = flags.repeat_disturbed,
                            .json = flags.json,
                            .predicted_sizes = predicted});
}

CLI::App& add_study(CLI::App& study, const StudyCommand& what) {
  CLI::App* const command = study.add_subcommand(what.name, what.description);
  const auto flags = std::make_shared<StudyFlags>(what.form);
  flags->flags = std::make_unique<SettingFlags>(*command, flags->settings.list());
  command
      ->add_option("--config", flags->config,
                   "Settings from a TOML file with the long flags as keys, lists as arrays; flags win")
      ->type_name("FILE");
  command->add_flag("--repeat-disturbed", flags->repeat_disturbed, kRepeatDisturbed);
  add_predict_flag(*command, flags->predict);
  command->add_flag("--dry-run", flags->dry_run, "List the runs, estimate the time, and do nothing");
  command->add_flag("--json", flags->json, "Print one JSON object in the end and nothing else on stdout");
  command->footer(what.footer);
  command->callback([flags] { run_study(*flags); });
  return *command;
}

struct ContinueFlags {
  std::string folder;
  bool retry_failed = false;
  bool repeat_disturbed = false;
  bool json = false;
  std::string predict;
};

void add_continue(CLI::App& study) {
  CLI::App* const command = study.add_subcommand("continue", "Go on with a study that was stopped");
  const auto flags = std::make_shared<ContinueFlags>();
  command->add_option("STUDY", flags->folder, "Its folder")->required()->type_name("DIR");
  command->add_flag("--retry-failed", flags->retry_failed, "Run what failed once more");
  command->add_flag("--repeat-disturbed", flags->repeat_disturbed, kRepeatDisturbed);
  command->add_flag("--json", flags->json, "Print one JSON object in the end and nothing else on stdout");
  add_predict_flag(*command, flags->predict);
  command->footer("Example:\n  convoy study continue studies/2026-11-16T0312-resnet20-cifar10");
  command->callback([flags] {
    outlive_readers();
    const std::vector<std::int64_t> predicted = predicted_sizes_from(flags->predict);
    study::StudyFolder folder = study::StudyFolder::open(flags->folder);
    for (const std::string& note : folder.notes()) print_note(note);
    if (study::kind_row(folder.spec().kind).imported) {
      throw UserError("{} holds imported runs, which have nothing to go on with", flags->folder);
    }
    if (flags->retry_failed) folder.forget_failed();
    run_again_what_is_gone(folder);
    const study::StudyProgress progress = study::progress_of(folder);
    say("{} of {} runs have ended\n", progress.ended, progress.total);
    run_study_to_end(folder,
                     {.repeat_disturbed = flags->repeat_disturbed, .json = flags->json, .predicted_sizes = predicted});
  });
}

}  // namespace

void add_study_command(CLI::App& app) {
  CLI::App* const study = app.add_subcommand("study", "Train in many ways, and find out which pays");
  study->require_subcommand(1);
  study->footer(
      "A study is kept in a folder: its runs, what became of them, and a report. It can be stopped at any time and\n"
      "goes on with `convoy study continue`, or with the same command and --study-dir.\n\n"
      "Example:\n  convoy study scale --workers 1,2 --scaling weak,strong --repeats 3");
  CLI::App& scale =
      add_study(*study, {"scale", "Throughput, speed-up, efficiency and cost against workers or threads",
                         "Examples:\n"
                         "  convoy study scale --model resnet20 --workers 1,2,4 --scaling weak,strong\n"
                         "  convoy study scale --model alexnet --data synthetic:3x64x64,classes=200,count=1024 \\\n"
                         "      --workers 1,2 --allreduce ring,hierarchical,reduce-broadcast,mpi,auto\n"
                         "  convoy study scale --workers 1 --threads 1,2,4",
                         scale_form()});
  // Help and manual pages, which may be read on another machine, give the rule and not its result on this one.
  scale.get_option("--workers")
      ->description("Processes to train together, started by mpirun; 1, 2, 4, ... up to the cores if left out")
      ->default_str("");
  add_study(*study, {"batch", "Throughput and its spread against the batch size; recommends one",
                     "Example:\n  convoy study batch --model resnet20 --batch 16,32,64,128,256", batch_form()});
  add_study(*study,
            {"sweep", "Batch size x learning rate x workers, ranked by the area under the loss curve",
             "Examples:\n"
             "  convoy study sweep --data fashion-mnist --model lenet --batch 64,128 --lr 0.01,0.05,0.1 \\\n"
             "      --workers 1,2 --train-samples 10000\n"
             "  convoy study sweep --data cifar10 --model resnet20 --lr 0.01,0.03,0.1,0.3 --epochs 8 --halving 2",
             sweep_form()});
  add_study(*study,
            {"converge", "Accuracy against epochs and time, for several workers or appearances of a sample",
             "Examples:\n"
             "  convoy study converge --data fashion-mnist --model resnet20 --workers 1,2 --scaling weak --target 90\n"
             "  convoy study converge --data cifar10 --model resnet20 --instances 1,2,4 --cutout 8",
             converge_form()});
  add_study_import(*study);
  add_continue(*study);
}

}  // namespace convoy::cli
