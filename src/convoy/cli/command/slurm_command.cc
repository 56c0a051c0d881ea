#include "convoy/cli/command/slurm_command.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>

#include "convoy/base/error.h"
#include "convoy/base/machine.h"
#include "convoy/cli/command/slurm_script.h"
#include "convoy/record/run_record.h"
#include "convoy/run/settings/amounts.h"
#include "convoy/run/settings/kept_settings.h"
#include "convoy/run/settings/train_settings.h"

namespace convoy::cli {
namespace {

struct SlurmFlags {
  std::optional<int> nodes;
  std::string time = "1h";
  std::string partition;
};

std::optional<std::string> value_of(const std::vector<std::string>& arguments, const std::string& flag) {
  const auto found = std::ranges::find(arguments, flag);
  if (found == arguments.end() || std::next(found) == arguments.end()) return std::nullopt;
  return *std::next(found);
}

// A run that goes on has workers and threads of its own, which a script must not replace by its guess.
std::vector<std::string> with_shape_of_run(std::vector<std::string> arguments) {
  const auto run = value_of(arguments, "--resume");
  if (!run || !is_run_folder(*run)) return arguments;
  TrainSettings settings;
  read_run_settings(
      *run, train_setting_list(settings), [](const std::string&) { return false; }, Altered::not_looked_for,
      [](const std::string&) {});
  const bool other_workers = value_of(arguments, "--workers") || value_of(arguments, "--hosts");
  const auto add = [&](const std::string& flag, const std::optional<int>& value) {
    if (value && !value_of(arguments, flag)) arguments.insert(arguments.end(), {flag, fmt::format("{}", *value)});
  };
  if (!other_workers) {
    add("--workers", settings.workers);
    add("--threads", settings.threads);
  }
  return arguments;
}

void print_script(const SlurmFlags& flags, const std::vector<std::string>& arguments) {
  if (flags.nodes && *flags.nodes < 1) throw UserError("--nodes must be at least 1, got {}", *flags.nodes);
  if (!arguments.empty() && arguments.front().starts_with("-")) {
    throw UserError("unknown flag {}; flags of the command to run come after its name: convoy slurm train {}",
                    arguments.front(), arguments.front());
  }
  fmt::print("{}", slurm_script({.nodes = flags.nodes,
                                 .seconds = parse_duration("--time", flags.time),
                                 .partition = flags.partition,
                                 .cores_of_node = read_machine().usable_cores,
                                 .program = std::filesystem::read_symlink("/proc/self/exe").string(),
                                 .arguments = with_shape_of_run(arguments)}));
}

}  // namespace

void add_slurm_command(CLI::App& app) {
  CLI::App* const command =
      app.add_subcommand("slurm", "Print a batch script that runs a command on the workers of a Slurm cluster");
  const auto flags = std::make_shared<SlurmFlags>();
  command->add_option("--nodes", flags->nodes, "Machines to ask for; Slurm's choice if left out")->type_name("N");
  command->add_option("--time", flags->time, "Limit to ask for: 90s, 30m, 2h")
      ->type_name("TIME")
      ->capture_default_str();
  command->add_option("--partition", flags->partition, "To submit to; the cluster's default if left out")
      ->type_name("NAME");
  // The rest is the command line of another command.
  command->prefix_command();
  command->footer(
      "A worker gets --threads cores. Without --threads the nodes are taken to have the cores of this machine, and\n"
      "workers share them; a run that is resumed has the workers and threads it had.\n\n"
      "Example:\n  convoy slurm --nodes 4 --time 2h train --data cifar10 --model resnet20 --workers 8 | sbatch");
  command->callback([flags, command] { print_script(*flags, command->remaining()); });
}

}  // namespace convoy::cli
