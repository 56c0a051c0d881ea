#include <fmt/core.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "convoy/base/error.h"
#include "convoy/base/file/atomic_file.h"
#include "convoy/base/file/folder.h"
#include "convoy/base/file/input_file.h"
#include "convoy/base/number_text.h"
#include "convoy/base/printable_text.h"
#include "convoy/base/shell_text.h"
#include "convoy/cli/command/commands.h"
#include "convoy/cli/terminal/notes.h"
#include "convoy/graph/analysis.h"
#include "convoy/run/imported_model.h"
#include "convoy/run/run_folder.h"
#include "convoy/run/settings/setting.h"

namespace convoy::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kImportedWeights = "weights.safetensors";

struct ModelImportFlags {
  std::string model;
  std::string out;
  std::string input;
  std::string class_names;
  std::string mean;
  std::string deviation;
};

std::vector<float> numbers_in(const std::string& flag, const std::string& text) {
  std::vector<float> numbers;
  std::istringstream list(text);
  for (std::string part; std::getline(list, part, ',');) parse_value(flag, part, numbers.emplace_back());
  return numbers;
}

std::vector<std::string> lines_in(const fs::path& file) {
  std::vector<std::string> lines;
  std::istringstream text(read_file(file));
  for (std::string line; std::getline(text, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (!line.empty()) lines.push_back(line);
  }
  return lines;
}

ImportOptions import_options(const ModelImportFlags& flags) {
  ImportOptions options;
  if (!flags.input.empty()) options.input = Shape::parse(flags.input);
  if (!flags.class_names.empty()) options.classes = lines_in(flags.class_names);
  options.mean = numbers_in("--mean", flags.mean);
  options.deviation = numbers_in("--deviation", flags.deviation);
  return options;
}

void run_model_import(const ModelImportFlags& flags) {
  const fs::path folder = flags.out;
  for (const char* const name : {kNetworkFile, kImportedWeights}) {
    if (fs::exists(folder / name)) {
      throw UserError("{} is there already; give another --out", (folder / name).string());
    }
  }
  const ImportedModel model = import_model(flags.model, import_options(flags), print_note);
  make_folder(folder);
  write_file_atomically(folder / kNetworkFile, model.network.text);
  (void)write_safetensors(folder / kImportedWeights, model.weights.tensors, model.weights.metadata);
  const Graph graph = build_network(model.network);
  fmt::print("{}: {} layers, {} parameters\n", printable_text(flags.model), graph.size() - 1,
             grouped_text(analyse(graph).parameters()));
  const std::string network = shell_text({(folder / kNetworkFile).string()});
  const std::string weights = shell_text({(folder / kImportedWeights).string()});
  fmt::print("network  {}: for --model\nweights  {}: for --init, and for --weights of eval and predict\n", network,
             weights);
  fmt::print("train it on with `convoy train --model {} --init {} --data NAME`\n", network, weights);
}

}  // namespace

void add_import_command(CLI::App& app) {
  CLI::App* const command = app.add_subcommand("import", "Take a network and weights from an ONNX model");
  const auto flags = std::make_shared<ModelImportFlags>();
  command->add_option("MODEL", flags->model, "ONNX model")->required()->type_name("FILE");
  command->add_option("--out", flags->out, "Folder for network.toml and weights.safetensors")
      ->required()
      ->type_name("DIR");
  command->add_option("--input", flags->input, "One image, where the model leaves it open")->type_name("CxHxW");
  command->add_option("--class-names", flags->class_names, "Names of the classes, a line each")->type_name("FILE");
  command->add_option("--mean", flags->mean, "Of each channel, that images are normalised by: 0.485,0.456,0.406")
      ->type_name("X,X,...");
  command->add_option("--deviation", flags->deviation, "Likewise: 0.229,0.224,0.225")->type_name("X,X,...");
  command->footer("Example:\n  convoy import model.onnx --out imported");
  command->callback([flags] { run_model_import(*flags); });
}

}  // namespace convoy::cli
