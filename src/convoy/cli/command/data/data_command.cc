#include "convoy/cli/command/commands.h"

#include <CLI/CLI.hpp>

#include "convoy/cli/command/data/data_commands.h"

namespace convoy::cli {

void add_data_command(CLI::App& app) {
  CLI::App* const data = app.add_subcommand("data", "List, get, inspect, preview and pack data sets");
  data->require_subcommand(1);
  data->footer("Example:\n  convoy data list");
  add_data_list(*data);
  add_data_get(*data);
  add_data_info(*data);
  add_data_preview(*data);
  add_data_pack(*data);
}

}  // namespace convoy::cli
