#include "convoy/cli/command/commands.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <optional>
#include <system_error>

#include "convoy/base/error.h"
#include "convoy/base/file/atomic_file.h"
#include "convoy/base/nearest.h"
#include "convoy/base/printable_text.h"
#include "convoy/base/version.h"
#include "convoy/cli/command/help/manual_page.h"
#include "convoy/cli/launch/rank_environment.h"
#include "convoy/cli/terminal/command_tree.h"

namespace convoy::cli {
namespace {

namespace fs = std::filesystem;

struct ManualFlags {
  std::vector<std::string> command;
  std::string out;
};

const CLI::App& command_called(const CLI::App& root, const std::vector<std::string>& words) {
  const CLI::App* command = &root;
  for (const std::string& word : words) {
    const CLI::App* const below = find_sub_command(*command, word);
    if (below == nullptr) {
      std::vector<std::string> names;
      for (const CLI::App* each : sub_commands(*command)) names.push_back(each->get_name());
      const std::optional<std::string> nearest = nearest_name(word, names);
      throw UserError("{} has no command '{}'{}", command_path(*command), quoted_text(word),
                      nearest ? fmt::format("; did you mean {}?", *nearest) : "");
    }
    command = below;
  }
  return *command;
}

void write_pages(const CLI::App& command, const ManualOptions& options, const fs::path& folder) {
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (failed) throw UserError("--out: {} cannot be made: {}", folder.string(), failed.message());
  for (const CLI::App* each : all_commands(command)) {
    write_file_atomically(folder / (manual_name(*each) + ".1"), manual_page(*each, options));
  }
}

void run_manual(const CLI::App& root, const ManualFlags& flags) {
  const CLI::App& command = command_called(root, flags.command);
  const ManualOptions options{.version = build_info().version, .home = environment_variable("HOME").value_or("")};
  if (flags.out.empty()) {
    fmt::print("{}", manual_page(command, options));
  } else {
    write_pages(command, options, flags.out);
  }
}

}  // namespace

void add_manual_command(CLI::App& app) {
  CLI::App* const command = app.add_subcommand("manual", "Print the manual page of a command, or write those of all");
  const auto flags = std::make_shared<ManualFlags>();
  command->add_option("COMMAND", flags->command, "Whose page, such as `data get`; convoy's own if left out")
      ->type_name("COMMAND");
  command
      ->add_option("--out", flags->out,
                   "Write the pages of the command and all below it into this folder, as convoy-data-get.1")
      ->type_name("DIR");
  command->footer(
      "Examples:\n"
      "  convoy manual train | man -l -\n"
      "  convoy manual --out ~/.local/share/man/man1");
  command->callback([&app, flags] { run_manual(app, *flags); });
}

}  // namespace convoy::cli
