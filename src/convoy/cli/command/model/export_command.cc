#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include "convoy/base/error.h"
#include "convoy/base/file/atomic_file.h"
#include "convoy/base/file/folder.h"
#include "convoy/base/number_text.h"
#include "convoy/base/printable_text.h"
#include "convoy/base/shell_text.h"
#include "convoy/cli/command/commands.h"
#include "convoy/cli/terminal/notes.h"
#include "convoy/exchange/onnx/onnx_export.h"
#include "convoy/exchange/tensorboard/run_events.h"
#include "convoy/record/run_record.h"
#include "convoy/run/exported_model.h"
#include "convoy/study/run/study_folder.h"

namespace convoy::cli {
namespace {

struct ModelExportFlags {
  std::string run;
  std::string format;
  std::string out;
  ExportOptions options;
};

namespace fs = std::filesystem;

// The run folders below `path`, or `path` itself if it is one.
std::vector<fs::path> runs_in(const fs::path& path) {
  if (is_run_folder(path)) return {path};
  std::vector<fs::path> runs;
  std::error_code missing;
  for (const auto& entry : fs::directory_iterator(study::is_study_folder(path) ? path / "runs" : path, missing)) {
    if (is_run_folder(entry.path())) runs.push_back(entry.path());
  }
  std::ranges::sort(runs);
  if (runs.empty()) throw UserError("{} is not a run and holds none", path.string());
  return runs;
}

// A file that stands in a run's folder, or below it, and exists is part of the run's record or of a checkpoint.
void require_not_of_run(const fs::path& out) {
  std::error_code failed;
  const fs::path file = fs::weakly_canonical(out, failed);
  if (failed || !fs::exists(file, failed)) return;
  for (fs::path folder = file.parent_path(); folder != folder.root_path(); folder = folder.parent_path()) {
    if (!is_run_folder(folder) || file.extension() == ".onnx") continue;
    throw UserError("--out: {} belongs to the run in {}; give another file", out.string(), folder.string());
  }
}

// Each of several runs gets its own folder, so that TensorBoard shows it as a separate curve.
void export_tensorboard(const ModelExportFlags& flags) {
  const std::vector<fs::path> runs = runs_in(flags.run);
  for (const fs::path& run : runs) {
    const RunRecord record = read_run(run);
    for (const std::string& note : record.notes) print_note(note);
    const fs::path folder =
        runs.size() == 1 && is_run_folder(flags.run) ? fs::path(flags.out) : fs::path(flags.out) / run.filename();
    make_folder(folder);
    write_file_atomically(folder / event_file_name(record), run_events(record));
  }
  fmt::print("{} run{} for `tensorboard --logdir {}`\n", runs.size(), runs.size() == 1 ? "" : "s",
             shell_text({flags.out}));
}

void run_model_export(const ModelExportFlags& flags) {
  if (flags.format == "tensorboard") {
    export_tensorboard(flags);
    return;
  }
  if (flags.format != "onnx") throw UserError("--format is onnx or tensorboard, got \"{}\"", flags.format);
  const TrainedModel model = open_trained_model(flags.run, print_note);
  require_not_of_run(flags.out);
  const std::string bytes = export_onnx(model, flags.options);
  write_file_atomically(flags.out, bytes);
  fmt::print("{}: {} as ONNX, opset {}, {}\n", printable_text(flags.out), printable_text(model.card.model),
             flags.options.opset, bytes_text(static_cast<double>(bytes.size())));
  fmt::print("input   \"input\", N x {}, {}\noutput  \"logits\", N x {}\n", model.card.input.to_string(),
             flags.options.normalise ? "pixels from 0 to 1" : "normalised as in training (metadata: mean, deviation)",
             model.card.classes.size());
}

}  // namespace

void add_export_command(CLI::App& app) {
  CLI::App* const command =
      app.add_subcommand("export", "Write trained weights, or the curves of runs, for other tools");
  const auto flags = std::make_shared<ModelExportFlags>();
  command
      ->add_option(
          "RUN", flags->run,
          "Run folder (its best weights), checkpoint or weights file; tensorboard: a run, a study or a folder of runs")
      ->required()
      ->type_name("DIR");
  command->add_option("--format", flags->format, "onnx, or tensorboard")->required()->type_name("FORMAT");
  command->add_option("--out", flags->out, "File to write; tensorboard: folder")->required()->type_name("FILE");
  command
      ->add_option("--opset", flags->options.opset,
                   fmt::format("Version of ONNX's operators, {} to {}", kOldestOnnxOpset, kNewestOnnxOpset))
      ->type_name("N")
      ->capture_default_str();
  command->add_flag("--fold-batch-norm", flags->options.fold_batch_norm, "Make it part of the convolutions before it");
  command->add_flag("--normalise", flags->options.normalise,
                    "Normalise inside the model, which then takes pixels from 0 to 1");
  command->footer(
      "Examples:\n"
      "  convoy export runs/2026-11-16T0312-resnet20-cifar10 --format onnx --out model.onnx\n"
      "  convoy export studies/2026-11-16T0312-resnet20-cifar10 --format tensorboard --out curves");
  command->callback([flags] { run_model_export(*flags); });
}

}  // namespace convoy::cli
