#include "convoy/cli/command/help/completion_command.h"

#include <fmt/core.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "convoy/base/error.h"
#include "convoy/base/printable_text.h"
#include "convoy/cli/command/commands.h"
#include "convoy/cli/terminal/command_tree.h"
#include "convoy/data/source/source_spec.h"
#include "convoy/models/zoo.h"

namespace convoy::cli {
namespace {

// What bash offers as values of an option; kCompleteValue below knows these words.
std::string value_kind(const CLI::Option& option) {
  const auto is_called = [&](const char* name) { return std::ranges::count(option.get_lnames(), name) > 0; };
  const std::string type = option.get_type_name();
  if (is_called("model")) return "model";
  if (is_called("data") || type == "DATA") return "data";
  if (type == "FILE" || type == "PATH" || type == "IMAGE") return "file";
  if (type == "DIR") return "folder";
  if (type == "COMMAND") return "command";
  if (type == "SHELL") return "shell";
  return "unknown";
}

// The commands whose names may come next: its sub-commands or, if it takes another command's command line, the commands
// beside it.
std::vector<const CLI::App*> commands_after(const CLI::App& command) {
  if (!command.get_prefix_command()) return sub_commands(command);
  std::vector<const CLI::App*> others = sub_commands(*command.get_parent());
  std::erase(others, &command);
  return others;
}

std::string names_of(const std::vector<const CLI::App*>& commands) {
  std::vector<std::string> names;
  for (const CLI::App* command : commands) names.push_back(command->get_name());
  return fmt::format("{}", fmt::join(names, " "));
}

// A branch of `case $path`: what the script must know about one command.
std::string description_branch(const CLI::App& command) {
  std::vector<std::string> flags;
  std::vector<std::string> values;
  std::string argument;
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_group().empty()) continue;
    if (option->get_positional()) argument = value_kind(*option);
    for (const std::string& flag : flag_spellings(*option)) {
      flags.push_back(flag);
      if (takes_value(*option)) values.push_back(flag + ":" + value_kind(*option));
    }
  }
  return fmt::format(
      "    '{}')\n"
      "      commands='{}'\n"
      "      flags='{}'\n"
      "      values='{}'\n"
      "      argument='{}'\n"
      "      ;;\n",
      command_path(command), names_of(commands_after(command)), fmt::join(flags, " "), fmt::join(values, " "),
      argument);
}

// A branch of `case "$path $word"`: which command each word leads to.
std::string step_branch(const CLI::App& command) {
  std::string branches;
  for (const CLI::App* next : commands_after(command)) {
    branches +=
        fmt::format("    '{} {}') path='{}' ;;\n", command_path(command), next->get_name(), command_path(*next));
  }
  return branches;
}

// The part that is the same for all commands. It uses variables of the function that calls it.
constexpr const char* kCompleteValue = R"(
_convoy_complete_value() {
  case $1 in
    model) mapfile -t COMPREPLY < <(compgen -W "$models" -f -- "$current") ;;
    data)
      mapfile -t COMPREPLY < <(compgen -W "$data_sets" -- "$current"; compgen -f -- "$current")
      compopt -o filenames 2>/dev/null
      ;;
    file)
      mapfile -t COMPREPLY < <(compgen -f -- "$current")
      compopt -o filenames 2>/dev/null
      ;;
    folder)
      mapfile -t COMPREPLY < <(compgen -d -- "$current")
      compopt -o filenames 2>/dev/null
      ;;
    command) mapfile -t COMPREPLY < <(compgen -W "$all_commands" -- "$current") ;;
    shell) mapfile -t COMPREPLY < <(compgen -W bash -- "$current") ;;
  esac
}

_convoy() {
  local IFS=$' \t\n'
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
  # bash takes --flag=value apart.
  if [[ $current == = ]]; then
    current=
  elif [[ $previous == = ]]; then
    previous=${COMP_WORDS[COMP_CWORD - 2]}
  fi

  local path word all_commands models data_sets
  _convoy_start
  for word in "${COMP_WORDS[@]:1:COMP_CWORD - 1}"; do
    _convoy_step
  done
  local commands= flags= values= argument= entry
  _convoy_describe

  COMPREPLY=()
  for entry in $values; do
    if [[ $entry == "$previous:"* ]]; then
      _convoy_complete_value "${entry#*:}"
      return
    fi
  done
  if [[ $current != -* && -n $commands ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$commands" -- "$current")
  elif [[ $current != -* && -n $argument ]]; then
    _convoy_complete_value "$argument"
  else
    mapfile -t COMPREPLY < <(compgen -W "$flags" -- "$current")
  fi
}
)";

}  // namespace

std::string bash_completion(const CLI::App& app, const KnownNames& names) {
  std::string steps;
  std::string descriptions;
  for (const CLI::App* command : all_commands(app)) {
    steps += step_branch(*command);
    descriptions += description_branch(*command);
  }
  const std::string& program = app.get_name();
  std::string script = fmt::format("# Completion of {0} for bash, printed by `{0} completion bash`.\n", program);
  script +=
      fmt::format("\n_convoy_start() {{\n  path='{}'\n  all_commands='{}'\n  models='{}'\n  data_sets='{}'\n}}\n",
                  program, names_of(sub_commands(app)), fmt::join(names.models, " "), fmt::join(names.data_sets, " "));
  script += fmt::format("\n_convoy_step() {{\n  case \"$path $word\" in\n{}  esac\n}}\n", steps);
  script += fmt::format("\n_convoy_describe() {{\n  case $path in\n{}  esac\n}}\n", descriptions);
  script += kCompleteValue;
  script += fmt::format("\ncomplete -F _convoy {}\n", program);
  return script;
}

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
