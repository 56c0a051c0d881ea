#include "convoy/cli/doctor_command.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>

#include "convoy/base/version.h"

namespace convoy::cli {

void add_doctor_command(CLI::App& app) {
  CLI::App* const command =
      app.add_subcommand("doctor", "Show this build and this machine, and what is wrong with them");
  command->footer("Example:\n  convoy doctor");
  command->callback([] { fmt::print("version {}\n", build_info().version); });
}

}  // namespace convoy::cli
