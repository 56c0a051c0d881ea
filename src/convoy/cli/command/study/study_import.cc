#include "convoy/cli/command/study/study_commands.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <memory>

#include "convoy/base/error.h"
#include "convoy/base/file/atomic_file.h"
#include "convoy/base/file/input_file.h"
#include "convoy/cli/settings/shared_flags.h"
#include "convoy/cli/terminal/notes.h"
#include "convoy/cli/terminal/terminal.h"
#include "convoy/record/run_name.h"
#include "convoy/study/analysis/imported_study.h"
#include "convoy/study/log/import_run.h"
#include "convoy/study/log/read_log.h"
#include "convoy/study/plan/price.h"
#include "convoy/study/run/study_folder.h"
#include "convoy/study/run/study_results.h"

namespace convoy::cli {
namespace {

namespace fs = std::filesystem;

struct ImportFlags {
  std::vector<std::string> files;
  std::vector<std::string> settings;  // key=value
  std::string published;
  std::string study_dir;
  std::int64_t skipped_epochs = 0;
  std::string price = "0";
  std::string predict;
  bool json = false;
};

std::vector<study::ImportedLog> read_logs(const std::vector<std::string>& files) {
  std::vector<study::ImportedLog> logs;
  for (const std::string& file : files) {
    for (study::ImportedLog& log : study::read_log(file)) logs.push_back(std::move(log));
  }
  return logs;
}

void set_everywhere(std::vector<study::ImportedLog>& logs, const std::vector<std::string>& settings) {
  for (const std::string& text : settings) {
    const auto equals = text.find('=');
    if (equals == 0 || equals == std::string::npos) throw UserError("--set takes KEY=VALUE, got {}", text);
    study::set_everywhere(logs, text.substr(0, equals), text.substr(equals + 1));
  }
}

void run_import(const ImportFlags& flags) {
  const std::vector<std::int64_t> predicted = predicted_sizes_from(flags.predict);
  std::vector<study::ImportedLog> logs = read_logs(flags.files);
  set_everywhere(logs, flags.settings);
  if (!flags.published.empty()) (void)study::parse_published(read_file(flags.published), flags.published);
  study::ImportedStudy imported = study::imported_study(logs);
  imported.spec.skipped_epochs = flags.skipped_epochs;
  const study::Price price = study::price_from(flags.price);
  imported.spec.price = price.amount;
  imported.spec.currency = price.currency;
  imported.spec.command = command_line();
  imported.spec.predicted_sizes = predicted;
  const fs::path path = flags.study_dir.empty()
                            ? make_run_folder("studies", default_run_name("import", logs.front().system,
                                                                          std::chrono::system_clock::now()))
                            : fs::path(flags.study_dir);
  if (study::is_study_folder(path))
    throw UserError("{} holds a study already; give another --study-dir", path.string());
  study::StudyFolder folder = study::StudyFolder::create(path, imported.spec);
  for (std::size_t i = 0; i < logs.size(); ++i) {
    for (const std::string& note : logs[i].notes) print_note(logs[i].name + ": " + note);
    study::import_run(logs[i], folder.run_folder(imported.runs[i].id), command_line());
    folder.add({.run = imported.runs[i], .finished = time_text(std::chrono::system_clock::now())});
  }
  if (!flags.published.empty()) {
    write_file_atomically(folder.path() / study::kPublishedFile, read_file(flags.published));
  }
  show_results(folder, flags.json, predicted);
}

}  // namespace

void add_study_import(CLI::App& study) {
  CLI::App* const command = study.add_subcommand(
      "import",
      "Make a study of logs of other systems: CNTK, Keras, Horovod's and TensorFlow's benchmarks, CSV, TensorBoard");
  const auto flags = std::make_shared<ImportFlags>();
  command
      ->add_option(
          "FILES", flags->files,
          "Logs, tables and event files; what wrote them is told by their content, and each may hold several runs. A "
          "folder of event files is one run")
      ->required()
      ->type_name("FILE");
  command
      ->add_option("--set", flags->settings,
                   "What the logs do not say, for all of them: KEY=VALUE, such as model=resnet34 or samples=60000 (of "
                   "an epoch); "
                   "may be repeated")
      ->type_name("KEY=VALUE")
      ->take_all();
  command
      ->add_option(
          "--published", flags->published,
          "CSV of published figures (series,workers,statistic,value; batch or threads in place of workers) to be "
          "checked against the logs")
      ->type_name("FILE");
  command->add_option("--skip-epochs", flags->skipped_epochs, "Epochs at the start of a run that are left out")
      ->capture_default_str();
  command->add_option("--price", flags->price, "Of a worker-hour, for the cost: 0.45, or \"0.45 USD\"; 0: unknown")
      ->type_name("PRICE")
      ->capture_default_str();
  add_predict_flag(*command, flags->predict);
  command->add_option("--study-dir", flags->study_dir, "Where the study is kept; a dated folder if left out")
      ->type_name("DIR");
  command->add_flag("--json", flags->json, "Print one JSON object and nothing else");
  command->footer(
      "Read are epochs of CNTK and of Keras (Horovod), the output of Horovod's synthetic benchmarks and of\n"
      "tf_cnn_benchmarks, also pasted into a report, and CSV with the column epoch and two of samples, seconds and\n"
      "samples_per_second, or accuracy, loss, test_accuracy, test_loss; rank, workers, batch, threads, model and run "
      "are\n"
      "optional. Event files of TensorBoard are read by the words of their tags (epoch_loss, Accuracy/test). Names "
      "such as lab2-cpu-alexnet-batch256-nodes4.log and commands above the lines (mpirun -np 4 python\n"
      "train.py --batch-size 64) tell model, workers and batch. What a log does not say is unknown: such logs make\n"
      "series of their own.\n\n"
      "Example:\n  convoy study import logs/*-cpu-resnet-*.log --set model=resnet34");
  command->callback([flags] { run_import(*flags); });
}

}  // namespace convoy::cli
