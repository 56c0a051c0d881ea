#include "convoy/cli/terminal/usage_error.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <optional>
#include <vector>

#include "convoy/base/nearest.h"
#include "convoy/cli/terminal/command_tree.h"
#include "convoy/run/settings/setting_names.h"

namespace convoy::cli {

namespace {

// The sub-command of a sub-command ... that the command line reached.
const CLI::App* deepest_parsed(const CLI::App* app) {
  while (!app->get_subcommands().empty()) {
    app = app->get_subcommands().front();
  }
  return app;
}

std::vector<std::string> flag_names(const CLI::App* app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app->get_options()) {
    for (const std::string& name : option->get_lnames()) {
      names.push_back(name);
    }
  }
  return names;
}

std::vector<std::string> command_names(const CLI::App* app) {
  std::vector<std::string> names;
  for (const CLI::App* command : sub_commands(*app)) names.push_back(command->get_name());
  return names;
}

std::string did_you_mean_flag(const std::string& flag, const std::vector<std::string>& known) {
  const std::vector<std::string> meant = names_meant(flag, known);
  return meant.empty() ? "" : fmt::format("; did you mean --{}?", fmt::join(meant, " or --"));
}

std::string did_you_mean(const std::string& word, const std::vector<std::string>& candidates) {
  const std::optional<std::string> nearest = nearest_name(word, candidates);
  return nearest ? fmt::format("; did you mean {}?", *nearest) : "";
}

std::string describe_unknown(const CLI::App* command, const std::string& argument) {
  if (argument.size() > 1 && argument.front() == '-') {
    const std::string flag = argument.substr(0, argument.find('='));
    return fmt::format("unknown flag {}{}", flag, did_you_mean_flag(flag, flag_names(command)));
  }
  const std::vector<std::string> commands = command_names(command);
  if (!commands.empty()) {
    return fmt::format("unknown command '{}'{}", argument, did_you_mean(argument, commands));
  }
  return fmt::format("unexpected argument '{}'", argument);
}

// CLI11 says "Could not convert: --batch = abc".
std::string describe_conversion(const std::string& message) {
  const std::string prefix = "Could not convert: ";
  const std::size_t equals = message.find(" = ");
  if (message.rfind(prefix, 0) != 0 || equals == std::string::npos) return message;
  return fmt::format("{} wants a number, got '{}'", message.substr(prefix.size(), equals - prefix.size()),
                     message.substr(equals + 3));
}

}  // namespace

std::string describe_usage_error(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App* const command = deepest_parsed(&app);
  const std::vector<std::string> unknown = app.remaining(true);
  // An unknown flag comes first: a misspelt required flag would otherwise be reported as missing.
  std::string what = describe_conversion(error.what());
  if (!unknown.empty()) {
    what = describe_unknown(command, unknown.front());
  } else if (!command_names(command).empty()) {
    what = "no command given";
  }
  return fmt::format("{}\nRun `{} --help` to see what it takes.", what, command_path(*command));
}

}  // namespace convoy::cli
