#include "convoy/base/shell_text.h"

#include <gtest/gtest.h>

namespace convoy {
namespace {

TEST(ShellText, QuotesWhatAShellWouldTakeApart) {
  EXPECT_EQ(shell_text({"convoy", "train", "--lr", "0.1"}), "convoy train --lr 0.1");
  EXPECT_EQ(shell_text({"convoy", "two words", "it's", ""}), "convoy 'two words' 'it'\\''s' ''");
  EXPECT_EQ(shell_text({"a", "$HOME", "*"}), "a '$HOME' '*'");
  EXPECT_EQ(shell_text({"x=1,2:/3", "-a", "b@c%"}), "x=1,2:/3 -a b@c%");
}

TEST(ShellListing, BreaksLongCommandsBeforeAFlag) {
  std::vector<std::string> command = {"convoy", "study"};
  for (int i = 0; i < 6; ++i) command.insert(command.end(), {"--some-flag", "value-of-flag"});
  EXPECT_EQ(shell_listing(command),
            "convoy study --some-flag value-of-flag --some-flag value-of-flag --some-flag value-of-flag \\\n"
            "  --some-flag value-of-flag --some-flag value-of-flag --some-flag value-of-flag");
}

TEST(ShellListing, BreaksLongListsBetweenWordsButNotAfterAFlag) {
  const std::string file(50, 'f');
  const std::string next = " \\\n  ";
  EXPECT_EQ(shell_listing({"convoy", "import", file, file, "--set", file, file}),
            "convoy import " + file + next + file + next + "--set " + file + next + file);
}

}  // namespace
}  // namespace convoy
