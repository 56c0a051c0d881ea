#include "convoy/cli/command/model/summary_command.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <memory>

#include "convoy/base/error.h"
#include "convoy/cli/command/model/model_summary.h"
#include "convoy/cli/settings/model_flags.h"

namespace convoy::cli {

namespace {

struct Flags {
  ModelFlags model;
  std::int64_t batch = 32;
  bool json = false;
};

void run_summary(const Flags& flags) {
  if (flags.batch < 1) {
    throw UserError("--batch must be at least 1, got {}", flags.batch);
  }
  const ModelSummary summary(flags.model.model, build_model(flags.model), flags.batch);
  fmt::print("{}", flags.json ? summary.json() : summary.text());
}

}  // namespace

void add_summary_command(CLI::App& app) {
  CLI::App* const command =
      app.add_subcommand("summary", "Show a network layer by layer: shapes, parameters, arithmetic, memory");
  const auto flags = std::make_shared<Flags>();
  add_model_flags(*command, flags->model);
  command->add_option("--batch", flags->batch, "Images one worker trains on at once, for the memory estimate")
      ->type_name("N")
      ->capture_default_str();
  command->add_flag("--json", flags->json, "Print one JSON object instead of tables");
  command->footer("Example:\n  convoy summary --model vgg19 --input 3x64x64 --classes 200 --batch 64");
  command->callback([flags] { run_summary(*flags); });
}

}  // namespace convoy::cli
