#include "convoy/cli/command/help/completion_command.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "convoy/base/error.h"
#include "convoy/base/printable_text.h"
#include "convoy/cli/command/help/bash_completion.h"
#include "convoy/data/source/source_spec.h"
#include "convoy/models/zoo.h"

namespace convoy::cli {
namespace {

KnownNames known_names() {
  KnownNames names;
  for (const ZooEntry& entry : zoo()) names.models.push_back(entry.name);
  names.data_sets = data::dataset_names();
  return names;
}

void print_completion(const CLI::App& root, const std::string& shell) {
  if (shell != "bash") throw UserError("there is completion for bash only, not for '{}'", quoted_text(shell));
  fmt::print("{}", bash_completion(root, known_names()));
}

}  // namespace

void add_completion_command(CLI::App& app) {
  CLI::App* const command =
      app.add_subcommand("completion", "Print the script by which a shell completes commands, flags and names");
  const auto shell = std::make_shared<std::string>();
  command->add_option("SHELL", *shell, "Which shell: bash")->required()->type_name("SHELL");
  command->footer(
      "Examples:\n"
      "  convoy completion bash > ~/.local/share/bash-completion/completions/convoy\n"
      "  source <(convoy completion bash)");
  command->callback([&app, shell] { print_completion(app, *shell); });
}

}  // namespace convoy::cli
