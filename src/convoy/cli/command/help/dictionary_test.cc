#include "convoy/cli/command/help/dictionary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <regex>
#include <set>

#include "convoy/base/file/input_file.h"
#include "convoy/cli/app.h"
#include "convoy/cli/terminal/command_tree.h"
#include "convoy/cli/terminal/terminal.h"

namespace convoy::cli {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::SizeIs;

TEST(Dictionary, WordsAreFoundHoweverTheyAreWritten) {
  for (const char* word : {"HierarchicalCopy", "hierarchicalcopy", "hierarchical_copy", "Hierarchical-Copy"}) {
    ASSERT_THAT(entries_for(word), SizeIs(1)) << word;
    EXPECT_THAT(entries_for(word)[0]->meaning, HasSubstr("--allreduce hierarchical"));
  }
  EXPECT_THAT(entries_for("hvd.size"), SizeIs(1));
  EXPECT_THAT(entries_for("hvd.size()"), SizeIs(1));
  EXPECT_THAT(entries_for("minibatch"), SizeIs(1));
  EXPECT_THAT(entries_for("()"), SizeIs(0));
  EXPECT_THAT(entries_for("nothing"), SizeIs(0));
}

TEST(Dictionary, NearWordsAreSuggested) {
  EXPECT_THAT(near_words("MirorredStrategy"), Contains("MirroredStrategy"));
  EXPECT_THAT(near_words("allreduce"), Contains("hvd.allreduce"));
  EXPECT_THAT(near_words("x"), SizeIs(0));
}

TEST(Dictionary, TheDocumentIsTheTable) {
  const std::filesystem::path file = std::filesystem::path(CONVOY_GOLDEN_FOLDER) / "dictionary.md";
  EXPECT_EQ(read_file(file), dictionary_markdown()) << "convoy help --markdown > docs/dictionary.md";
}

// The flags and commands to which entries refer must exist.
TEST(Dictionary, FlagsAndCommandsAreThere) {
  const std::unique_ptr<CLI::App> app = make_app();
  std::set<std::string> flags;
  for (const CLI::App* command : all_commands(*app)) {
    for (const CLI::Option* option : command->get_options()) {
      for (const std::string& spelling : flag_spellings(*option)) flags.insert(spelling);
    }
  }
  const std::regex flag_pattern("--[a-z][a-z0-9-]+");
  const std::regex command_pattern("`convoy ([a-z-]+)");
  for (const DictionaryEntry& entry : dictionary()) {
    const std::string text = entry.meaning;
    for (std::sregex_iterator at(text.begin(), text.end(), flag_pattern), end; at != end; ++at) {
      EXPECT_THAT(flags, Contains(at->str())) << entry.words.front();
    }
    for (std::sregex_iterator at(text.begin(), text.end(), command_pattern), end; at != end; ++at) {
      EXPECT_NE(find_sub_command(*app, (*at)[1]), nullptr) << (*at)[1];
    }
  }
}

TEST(Dictionary, NoWordIsThereTwice) {
  for (const DictionaryEntry& entry : dictionary()) {
    for (const std::string& word : entry.words) EXPECT_THAT(entries_for(word), SizeIs(1)) << word;
  }
}

struct HelpOutcome {
  int code = -1;
  std::string out;
  std::string err;
};

HelpOutcome help_with(std::vector<const char*> arguments) {
  arguments.insert(arguments.begin(), {"convoy", "help"});
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  HelpOutcome outcome;
  outcome.code = run(static_cast<int>(arguments.size()), arguments.data());
  outcome.out = testing::internal::GetCapturedStdout();
  outcome.err = testing::internal::GetCapturedStderr();
  return outcome;
}

TEST(HelpCommand, WordsFlagsAndCommands) {
  EXPECT_THAT(help_with({"ReductionToOne"}).out, HasSubstr("--allreduce reduce-broadcast"));
  EXPECT_THAT(help_with({"ring", "allreduce"}).out, HasSubstr("NCCL"));
  EXPECT_THAT(help_with({"batch"}).out, HasSubstr("--batch (convoy train"));
  EXPECT_THAT(help_with({"study", "import"}).out,
              AllOf(HasSubstr("--published"), HasSubstr("convoy study import [OPT")));
  EXPECT_THAT(help_with({"--batch"}).out, HasSubstr("--batch (convoy train"));
  EXPECT_THAT(help_with({"-np"}).out, HasSubstr("--workers"));
  EXPECT_THAT(help_with({}).out, AllOf(HasSubstr("MirroredStrategy"), HasSubstr("epoch_size")));
}

TEST(HelpCommand, UnknownWordsGetSuggestions) {
  const HelpOutcome outcome = help_with({"MirorredStrategy"});
  EXPECT_EQ(outcome.code, kUsage);
  EXPECT_THAT(outcome.err, HasSubstr("did you mean MirroredStrategy"));
}

}  // namespace
}  // namespace convoy::cli
