#include "convoy/cli/app.h"

#include <fmt/core.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <optional>
#include <string>
#include <vector>

#include "convoy/base/error.h"
#include "convoy/base/nearest.h"
#include "convoy/base/printable_text.h"
#include "convoy/base/shell_text.h"
#include "convoy/base/version.h"
#include "convoy/cli/command/commands.h"
#include "convoy/cli/launch/interrupt.h"
#include "convoy/cli/launch/launch.h"
#include "convoy/cli/launch/launcher_lines.h"
#include "convoy/cli/launch/rank_environment.h"
#include "convoy/cli/launch/world.h"
#include "convoy/cli/terminal/command_tree.h"
#include "convoy/cli/terminal/lost_file.h"
#include "convoy/cli/terminal/terminal.h"
#include "convoy/comm/mpi/mpi_session.h"
#include "convoy/comm/peer_error.h"
#include "convoy/run/settings/setting_names.h"

namespace convoy::cli {
namespace {

// The innermost sub-command that the command line reached.
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

// `app` is the root that threw `error` while parsing.
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

std::string version_text() {
  const BuildInfo info = build_info();
  return fmt::format("convoy {} ({}, {}, {})", info.version, info.git_id, info.build_type, info.compiler);
}

// When several ranks fail for the same reason, one of them says so and ends them all. A rank that was left waiting for
// it would hang, or report only that it waited.
int fail(int code, const std::string& message) {
  const bool joined = join_to_fail();
  let_earlier_ranks_speak();
  if (!first_speaks_for_all()) say("{} {}\n", error_label(), message_text(message));
  if (environment_variable(kReadsNotices)) say("{}", end_notice(code));
  (void)std::fflush(nullptr);
  if (joined) MpiSession::abort(code);
  // MPI may still be waiting for the other ranks on another thread, so exit without cleaning up.
  if (started_as_rank()) std::_Exit(code);
  return code;
}

// Shown when the program is called without arguments. Commands are printed with the name it was called by, so that they
// work as printed.
std::string welcome(const CLI::App& app, const std::string& program) {
  return fmt::format(
      "{1}\n\n"
      "Three commands to try first:\n\n"
      "  {0} doctor\n"
      "      is this machine ready? Processor, cores, memory, kernel library and MPI\n"
      "  {0} train --data fashion-mnist --model resnet20 --epochs 1\n"
      "      train a network, test it and keep it; a minute or two on two cores\n"
      "  {0} study scale\n"
      "      how does training scale here? Some minutes, then a report with figures\n\n"
      "`{0} --help` lists all commands, `{0} COMMAND --help` explains one.\n",
      printable_text(shell_text({program})), app.get_description());
}

void parse_and_run(CLI::App& app, int argc, const char* const* argv) {
  app.parse(argc, argv);
  require_results_written();
}

// CLI11 reports help and version as errors with code 0.
int finish_parse(const CLI::App& app, const CLI::ParseError& error) {
  if (error.get_exit_code() == 0) {
    app.exit(error);
    return kDone;
  }
  return fail(kUsage, describe_usage_error(app, error));
}

}  // namespace

std::unique_ptr<CLI::App> make_app() {
  auto app = std::make_unique<CLI::App>(
      "Convoy trains convolutional networks on CPUs, from one machine to a cluster, and measures how well that scales.",
      "convoy");
  app->require_subcommand(1);
  app->set_version_flag("--version", version_text(), "Print version, git id, build type and compiler, and exit");
  app->set_help_flag("-h,--help", "Print this help and exit");
  app->footer(
      "Example:\n  convoy doctor\n\n`convoy COMMAND --help` explains a command, `convoy help WORD` a word of another "
      "system.");
  add_models_command(*app);
  add_summary_command(*app);
  add_data_command(*app);
  add_train_command(*app);
  add_eval_command(*app);
  add_predict_command(*app);
  add_export_command(*app);
  add_import_command(*app);
  add_lr_find_command(*app);
  add_bench_command(*app);
  add_tune_command(*app);
  add_study_command(*app);
  add_report_command(*app);
  add_slurm_command(*app);
  add_doctor_command(*app);
  add_help_command(*app);
  add_manual_command(*app);
  add_completion_command(*app);
  return app;
}

int run(int argc, const char* const* argv) {
  settle_standard_streams();
  explain_lost_files();
  const std::unique_ptr<CLI::App> app = make_app();
  if (argc == 1) {
    say_result("{}", welcome(*app, argv[0]));
    // A script that lost its arguments must not mistake this for success.
    return kUsage;
  }
  return run(*app, argc, argv);
}

int run(CLI::App& app, int argc, const char* const* argv) {
  try {
    parse_and_run(app, argc, argv);
    return kDone;
  } catch (const CLI::ParseError& error) {
    return finish_parse(app, error);
  } catch (const Interrupted& interrupted) {
    // If the signal went to mpirun directly, convoy's launcher learns of it only by this notice.
    if (environment_variable(kReadsNotices)) fmt::print(stderr, "{}", end_notice(kSignal + interrupted.signal));
    return kSignal + interrupted.signal;
  } catch (const RanksFailed& failed) {
    return failed.exit_code;
  } catch (const DivergedError& error) {
    return fail(kDiverged, error.what());
  } catch (const DataError& error) {
    return fail(kData, error.what());
  } catch (const UserError& error) {
    return fail(kUsage, error.what());
  } catch (const std::bad_alloc&) {
    return fail(kRunFailed, "out of memory; try a smaller batch or model");
  } catch (const InternalError& error) {
    return fail(kRunFailed, fmt::format("defect in Convoy, please report it: {}", error.what()));
  } catch (const PeerError& error) {
    return fail(kPeerLost, error.what());
  } catch (const std::exception& error) {
    return fail(kRunFailed, error.what());
  }
}

}  // namespace convoy::cli
