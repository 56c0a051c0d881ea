#include "convoy/cli/command/help/completion_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <CLI/CLI.hpp>

// tests/completion tests what bash makes of the script.
namespace convoy::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

TEST(BashCompletion, KnowsFlagsAndKindsOfValues) {
  CLI::App app("Does things", "prog");
  app.set_help_flag();
  CLI::App* const command = app.add_subcommand("do", "Do one thing");
  command->set_help_flag();
  std::string text;
  bool quiet = false;
  command->add_option("--file", text, "f")->type_name("FILE");
  command->add_option("--out", text, "o")->type_name("DIR");
  command->add_option("-m,--model", text, "m")->type_name("NAME");
  command->add_option("--size", text, "s")->type_name("N");
  command->add_flag("--quiet", quiet, "q");
  command->add_flag("--secret", quiet, "x")->group("");
  command->add_option("what", text, "w")->type_name("DATA");
  const std::string script = bash_completion(app, {.models = {"big", "small"}, .data_sets = {"digits"}});
  EXPECT_THAT(script, AllOf(HasSubstr("models='big small'"), HasSubstr("data_sets='digits'"),
                            HasSubstr("'prog do') path='prog do' ;;"), HasSubstr("complete -F _convoy prog\n")));
  EXPECT_THAT(script, HasSubstr("    'prog do')\n"
                                "      commands=''\n"
                                "      flags='--file --out -m --model --size --quiet'\n"
                                "      values='--file:file --out:folder -m:model --model:model --size:unknown'\n"
                                "      argument='data'\n"));
  EXPECT_THAT(script, Not(HasSubstr("secret")));
}

TEST(BashCompletion, ACommandThatTakesAnotherLeadsThere) {
  CLI::App app("Does things", "prog");
  app.add_subcommand("do", "Do one thing");
  app.add_subcommand("later", "Do it later")->prefix_command();
  EXPECT_THAT(bash_completion(app, {}), HasSubstr("'prog later do') path='prog do' ;;"));
}

}  // namespace
}  // namespace convoy::cli
