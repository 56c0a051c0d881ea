#include "convoy/cli/app.h"
#include "convoy/cli/terminal/terminal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "convoy/base/version.h"
#include "convoy/cli/terminal/command_tree.h"

namespace convoy::cli {
namespace {

using testing::AllOf;
using testing::AnyOf;
using testing::HasSubstr;
using testing::StartsWith;

struct Outcome {
  int code = -1;
  std::string out;
  std::string err;
};

Outcome run_with(std::vector<const char*> arguments) {
  arguments.insert(arguments.begin(), "convoy");
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  Outcome outcome;
  outcome.code = run(static_cast<int>(arguments.size()), arguments.data());
  outcome.out = testing::internal::GetCapturedStdout();
  outcome.err = testing::internal::GetCapturedStderr();
  return outcome;
}

TEST(App, VersionGoesToStdout) {
  const Outcome outcome = run_with({"--version"});
  EXPECT_EQ(outcome.code, kDone);
  EXPECT_THAT(outcome.out, StartsWith("convoy " + build_info().version + " ("));
  EXPECT_EQ(outcome.err, "");
}

TEST(App, NoArgumentsShowWhatToTryFirst) {
  const Outcome outcome = run_with({});
  EXPECT_EQ(outcome.code, kUsage);
  EXPECT_EQ(outcome.err, "");
  EXPECT_THAT(outcome.out, AllOf(StartsWith("Convoy trains"), HasSubstr("`convoy --help` lists all commands")));
}

// The lines that are commands, without the name of the program.
std::vector<std::string> commands_in(const std::string& text) {
  std::vector<std::string> commands;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("  convoy ")) commands.push_back(line.substr(9));
  }
  return commands;
}

TEST(App, CommandsToTryFirstExist) {
  const auto app = make_app();
  const std::vector<std::string> commands = commands_in(run_with({}).out);
  EXPECT_EQ(commands.size(), 3U);
  for (const std::string& line : commands) {
    std::istringstream words(line);
    const CLI::App* command = app.get();
    for (std::string word; words >> word;) {
      if (const CLI::App* const below = find_sub_command(*command, word)) command = below;
      const bool is_flag = word.starts_with("--");
      EXPECT_TRUE(!is_flag || command->get_option_no_throw(word) != nullptr) << line;
    }
    EXPECT_TRUE(sub_commands(*command).empty()) << line;
    EXPECT_NE(command, app.get()) << line;
  }
}

TEST(App, ACommandOfCommandsAloneIsAUsageError) {
  const Outcome outcome = run_with({"data"});
  EXPECT_EQ(outcome.code, kUsage);
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.err, AllOf(StartsWith("error: no command given"), HasSubstr("convoy data --help")));
}

TEST(App, MisspeltCommandIsSuggested) {
  const Outcome outcome = run_with({"docotr", "--json"});
  EXPECT_EQ(outcome.code, kUsage);
  EXPECT_THAT(outcome.err, HasSubstr("unknown command 'docotr'; did you mean doctor?"));
}

TEST(App, MisspeltFlagIsSuggested) {
  const Outcome outcome = run_with({"doctor", "--jsn=1"});
  EXPECT_EQ(outcome.code, kUsage);
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.err,
              AllOf(HasSubstr("unknown flag --jsn; did you mean --json?"), HasSubstr("convoy doctor --help")));
}

TEST(App, StrayArgumentIsNamed) {
  const Outcome outcome = run_with({"doctor", "vgg19"});
  EXPECT_EQ(outcome.code, kUsage);
  EXPECT_THAT(outcome.err, HasSubstr("unexpected argument 'vgg19'"));
}

// Checks each command and its sub-commands.
void expect_complete_help(const CLI::App& app) {
  const std::string help = app.help();
  EXPECT_THAT(help, AnyOf(HasSubstr("Example:\n  convoy"), HasSubstr("Examples:\n  convoy"))) << app.get_name();
  EXPECT_FALSE(app.get_description().empty()) << app.get_name();
  for (const CLI::Option* option : app.get_options()) {
    EXPECT_FALSE(option->get_description().empty()) << app.get_name() << " " << option->get_name();
  }
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    expect_complete_help(*command);
  }
}

TEST(App, EveryHelpIsCompleteAndHasAnExample) { expect_complete_help(*make_app()); }

TEST(App, HelpGoesToStdout) {
  const Outcome outcome = run_with({"doctor", "--help"});
  EXPECT_EQ(outcome.code, kDone);
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("--json"), HasSubstr("Examples:")));
  EXPECT_EQ(outcome.err, "");
}

TEST(App, MessagesDoNotCommandTheTerminal) {
  const Outcome outcome = run_with({"report", "\x1b[31mred\x07"});
  EXPECT_EQ(outcome.err.find('\x1b'), std::string::npos);
  EXPECT_THAT(outcome.err, HasSubstr("\\x1b[31mred\\x07"));
  const std::string longest(100000, 'x');
  EXPECT_LT(run_with({"summary", "--model", longest.c_str()}).err.size(), 10000U);
}

}  // namespace
}  // namespace convoy::cli
