#include "convoy/cli/terminal/command_tree.h"

#include <CLI/CLI.hpp>

namespace convoy::cli {

std::string command_path(const CLI::App& app) {
  const CLI::App* const parent = app.get_parent();
  return parent == nullptr ? app.get_name() : command_path(*parent) + " " + app.get_name();
}

std::vector<const CLI::App*> sub_commands(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

const CLI::App* find_sub_command(const CLI::App& app, const std::string& name) {
  for (const CLI::App* command : sub_commands(app)) {
    if (command->get_name() == name) return command;
  }
  return nullptr;
}

std::vector<const CLI::App*> all_commands(const CLI::App& app) {
  std::vector<const CLI::App*> all = {&app};
  for (const CLI::App* command : sub_commands(app)) {
    for (const CLI::App* below : all_commands(*command)) all.push_back(below);
  }
  return all;
}

std::vector<std::string> flag_spellings(const CLI::Option& option) {
  std::vector<std::string> spellings;
  for (const std::string& name : option.get_snames()) spellings.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) spellings.push_back("--" + name);
  return spellings;
}

bool takes_value(const CLI::Option& option) { return option.get_items_expected_max() > 0; }

}  // namespace convoy::cli
