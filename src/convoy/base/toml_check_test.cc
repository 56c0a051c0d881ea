#include "convoy/base/toml_check.h"

#include <gtest/gtest.h>

#include <string>

#include "convoy/base/error.h"
#include "convoy/base/throws_with_test.h"

namespace convoy {
namespace {

std::string repeated(const std::string& text, int times) {
  std::string result;
  for (int i = 0; i < times; ++i) result += text;
  return result;
}

TEST(TomlDepth, DeepKeysAreFound) {
  EXPECT_EQ(line_too_deep(repeated("a.", 100000) + "a = 1\n"), 1);
  EXPECT_EQ(line_too_deep("x = 1\n[" + repeated("a . ", 100000) + "a]\n"), 2);
  EXPECT_EQ(line_too_deep("\n\n" + repeated("\"a\".'b'.", 100000)), 3);
  EXPECT_EQ(line_too_deep("a = '''\n\n'''\n{" + repeated("a.", 100)), 4);
}

TEST(TomlDepth, DeepBracketsAreFound) {
  EXPECT_EQ(line_too_deep("a = " + repeated("[", 100000)), 1);
  EXPECT_EQ(line_too_deep("b = 1\na = " + repeated("{a=", 100000)), 2);
  EXPECT_EQ(line_too_deep("a = " + repeated("[\n", 50)), 33);
}

TEST(TomlBrackets, ThatCloseNothingAreFound) {
  EXPECT_EQ(line_with_stray_bracket("a = [\n{b = 1},\n},\n]\n"), 3);
  EXPECT_EQ(line_with_stray_bracket("a = {b = [1}]\n"), 1);
  EXPECT_EQ(line_with_stray_bracket("a = 1\n]"), 2);
  EXPECT_FALSE(line_with_stray_bracket("[a.b]\n[[c]]\nd = [{e = [1, 2]}, '}', \"]\"] # }\n"));
  EXPECT_FALSE(line_with_stray_bracket("a = [1, 2\n"));
  EXPECT_TRUE(throws_with<UserError>([] { check_toml("a = }", "f.toml"); }, "f.toml:1: a bracket is closed"));
  EXPECT_TRUE(throws_with<UserError>([] { check_toml(repeated("[", 99), "f.toml"); }, "f.toml:1: keys or"));
}

TEST(TomlLetters, ThatAreForeignAreFoundOutsideOfQuotes) {
  EXPECT_EQ(line_with_foreign_letter("a = 1\n\xC6\x9B = 2\n"), 2);
  EXPECT_EQ(line_with_foreign_letter("a = 30\"\xC6\x9B\"\n"), 1) << "no string begins within a number";
  EXPECT_EQ(line_with_foreign_letter("a = 2x\"\"\xC8\x9E\n"), 1);
  EXPECT_FALSE(line_with_foreign_letter("\xEF\xBB\xBF# \xC3\xB6\na = \"\xC3\xB6\"\n'\xC3\xB6' = 1\n"));
}

TEST(TomlDepth, RealFilesAreNotDeep) {
  EXPECT_FALSE(line_too_deep(""));
  EXPECT_FALSE(line_too_deep("lr = [" + repeated("0.1, ", 1000) + "0.1]\nmodel = \"" + repeated("a.", 1000) + "\"\n"));
  EXPECT_FALSE(line_too_deep(repeated("lr = 0.1\n", 1000)));
  EXPECT_FALSE(line_too_deep("# " + repeated("a.[", 1000) + "\ndata = 'a" + repeated("[.", 1000) + "'\n"));
  EXPECT_FALSE(line_too_deep("a = \"\\\"" + repeated(".[", 100) + "\"\n"));
  EXPECT_FALSE(line_too_deep("b = \"\"\"\n" + repeated(".[\n\"", 100) + "\"\"\"\n"));
  EXPECT_FALSE(line_too_deep("a = \"not closed " + repeated("[", 100) + "\n"));
  EXPECT_FALSE(line_too_deep("a = \"\\"));
}

}  // namespace
}  // namespace convoy
