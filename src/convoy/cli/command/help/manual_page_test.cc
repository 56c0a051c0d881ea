#include "convoy/cli/command/help/manual_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <sstream>

#include "convoy/cli/app.h"
#include "convoy/cli/terminal/command_tree.h"

namespace convoy::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

TEST(RoffEscaped, LinesAreNoRequests) {
  EXPECT_EQ(roff_escaped(".SH\n.x a.b"), "\\&.SH\n\\&.x a.b");
  EXPECT_EQ(roff_escaped("'quoted'"), "\\(aqquoted\\(aq");
}

TEST(RoffEscaped, HyphensAndBackslashesAreShownAsTheyAre) {
  EXPECT_EQ(roff_escaped("--lr-every"), "\\-\\-lr\\-every");
  EXPECT_EQ(roff_escaped("a \\\n  b"), "a \\e\n  b");
  EXPECT_EQ(roff_escaped("~/x^2"), "\\(ti/x\\(ha2");
}

TEST(RoffProse, CodeIsBold) {
  EXPECT_EQ(roff_prose("see `convoy data-x` first"), "see \\fBconvoy data\\-x\\fR first");
  EXPECT_EQ(roff_prose("`a`, `b`"), "\\fBa\\fR, \\fBb\\fR");
  EXPECT_EQ(roff_prose("one ` alone"), "one \\(ga alone");
}

TEST(SplitFooter, TellsExamplesFromProse) {
  const Footer footer =
      split_footer("Before,\nin two lines.\n\nExamples:\n  convoy a \\\n      --b\n  convoy c\n\nAfter.");
  EXPECT_EQ(footer.prose, "Before,\nin two lines.\nAfter.\n");
  EXPECT_EQ(footer.examples, "convoy a \\\n    --b\nconvoy c\n");
  EXPECT_EQ(split_footer("").prose, "");
}

struct Example {
  std::unique_ptr<CLI::App> root = std::make_unique<CLI::App>("Does things", "prog");
  CLI::App* command = root->add_subcommand("do", "Do one thing");
  std::string file;
  std::string folder = "/home/me/things";
  std::vector<std::string> names;
  bool quiet = false;

  Example() {
    command->add_option("--file", file, "What to read")->type_name("FILE")->required();
    command->add_option("--folder", folder, "Where")->type_name("DIR")->capture_default_str()->group("Places");
    command->add_flag("-q,--quiet", quiet, "Say nothing");
    command->add_flag("--secret", quiet, "Nobody's business")->group("");
    command->add_option("names", names, "Of things")->type_name("NAME");
  }

  [[nodiscard]] std::string page() const { return manual_page(*command, {.version = "1.2", .home = "/home/me"}); }
};

TEST(ManualPage, SaysWhatTheParserTakes) {
  const std::string page = Example().page();
  EXPECT_THAT(page, testing::StartsWith(".TH PROG\\-DO 1 \"\" \"Convoy 1.2\" \"Convoy Manual\"\n.nh\n.ad l\n"
                                        ".SH NAME\nprog\\-do \\- Do one thing\n"));
  EXPECT_THAT(page, HasSubstr("\\fBprog do\\fR [\\fIOPTION\\fR...] [\\fInames\\fR...]\n"));
  EXPECT_THAT(page, HasSubstr(".TP\n\\fB\\-\\-file\\fR \\fIFILE\\fR\nWhat to read (required)\n"));
  EXPECT_THAT(page, HasSubstr(".TP\n\\fB\\-q\\fR, \\fB\\-\\-quiet\\fR\nSay nothing\n"));
  EXPECT_THAT(page, HasSubstr(".SS Places\n.TP\n"));
  EXPECT_THAT(page, Not(HasSubstr("secret")));
}

// Pages are made on one machine and read on others.
TEST(ManualPage, DefaultsInTheUsersFolderAreAnybodys) {
  EXPECT_THAT(Example().page(), HasSubstr("Where (default: \\(ti/things)\n"));
}

TEST(ManualPage, FlagsOfNoGroupComeFirst) {
  const std::string page = Example().page();
  EXPECT_LT(page.find("\\-\\-quiet"), page.find(".SS Places"));
}

TEST(ManualPage, OfAProgramNamesItsCommands) {
  const Example example;
  EXPECT_THAT(manual_page(*example.root, {}), AllOf(HasSubstr(".SH COMMANDS\n.TP\n\\fBdo\\fR\nDo one thing; see "),
                                                    HasSubstr(".SH SEE ALSO\n\\fBprog\\-do\\fR(1)\n")));
}

bool is_request(const std::string& line) {
  for (const char* known : {".TH ", ".SH ", ".SS ", ".TP", ".PP", ".nh", ".ad l", ".nf", ".fi"}) {
    if (line.starts_with(known)) return true;
  }
  return false;
}

TEST(ManualPage, OfEveryCommandIsWellFormed) {
  const auto app = make_app();
  for (const CLI::App* command : all_commands(*app)) {
    const std::string page = manual_page(*command, {.version = "1", .home = "/home/me"});
    EXPECT_THAT(page, AllOf(HasSubstr(".SH OPTIONS\n"), HasSubstr(".SH EXAMPLES\n"))) << manual_name(*command);
    std::istringstream lines(page);
    for (std::string line; std::getline(lines, line);) {
      EXPECT_FALSE(line.empty()) << manual_name(*command);
      const bool seems_request = line.starts_with('.') || line.starts_with('\'');
      EXPECT_EQ(seems_request, is_request(line)) << line;
    }
  }
}

}  // namespace
}  // namespace convoy::cli
