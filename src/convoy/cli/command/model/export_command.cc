#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <string>

#include "convoy/base/error.h"
#include "convoy/base/file/atomic_file.h"
#include "convoy/base/number_text.h"
#include "convoy/base/printable_text.h"
#include "convoy/cli/command/commands.h"
#include "convoy/cli/terminal/notes.h"
#include "convoy/exchange/onnx/onnx_export.h"
#include "convoy/run/exported_model.h"

namespace convoy::cli {
namespace {

struct ModelExportFlags {
  std::string run;
  std::string format;
  std::string out;
  ExportOptions options;
};

void run_model_export(const ModelExportFlags& flags) {
  if (flags.format != "onnx") throw UserError("--format is onnx, got \"{}\"", flags.format);
  const TrainedModel model = open_trained_model(flags.run, print_note);
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
  CLI::App* const command = app.add_subcommand("export", "Write trained weights as a model that other tools run");
  const auto flags = std::make_shared<ModelExportFlags>();
  command->add_option("RUN", flags->run, "Run folder (its best weights), checkpoint or weights file")
      ->required()
      ->type_name("DIR");
  command->add_option("--format", flags->format, "onnx")->required()->type_name("FORMAT");
  command->add_option("--out", flags->out, "File to write")->required()->type_name("FILE");
  command
      ->add_option("--opset", flags->options.opset,
                   fmt::format("Version of ONNX's operators, {} to {}", kOldestOnnxOpset, kNewestOnnxOpset))
      ->type_name("N")
      ->capture_default_str();
  command->add_flag("--fold-batch-norm", flags->options.fold_batch_norm, "Make it part of the convolutions before it");
  command->add_flag("--normalise", flags->options.normalise,
                    "Normalise inside the model, which then takes pixels from 0 to 1");
  command->footer("Example:\n  convoy export runs/2026-11-16T0312-resnet20-cifar10 --format onnx --out model.onnx");
  command->callback([flags] { run_model_export(*flags); });
}

}  // namespace convoy::cli
