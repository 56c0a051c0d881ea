// The commands as a tree, from which messages, manual pages and completion are made.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace convoy::cli {

// As a user types it: "convoy data get".
[[nodiscard]] std::string command_path(const CLI::App& app);

// The sub-commands of a command, in the order in which help lists them. They belong to `app`.
[[nodiscard]] std::vector<const CLI::App*> sub_commands(const CLI::App& app);

// The one called `name`, or null.
[[nodiscard]] const CLI::App* find_sub_command(const CLI::App& app, const std::string& name);

// The command and all below it, each one before its sub-commands.
[[nodiscard]] std::vector<const CLI::App*> all_commands(const CLI::App& app);

// Every spelling of a flag, including dashes, short ones first; empty for a positional argument.
[[nodiscard]] std::vector<std::string> flag_spellings(const CLI::Option& option);

// Whether the flag needs a value.
[[nodiscard]] bool takes_value(const CLI::Option& option);

}  // namespace convoy::cli
