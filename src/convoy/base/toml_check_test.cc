#include "convoy/base/toml_check.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "convoy/base/error.h"
#include "convoy/base/throws_with_test.h"
#include "convoy/base/toml_parser.h"

namespace convoy {
namespace {

std::string repeated(const std::string& text, int times) {
  std::string result;
  for (int i = 0; i < times; ++i) result += text;
  return result;
}

::testing::AssertionResult is_refused(const std::string& text, const std::string& with) {
  return throws_with<UserError>([&] { check_toml(text, "f.toml"); }, with);
}

TEST(TomlCheck, DeepKeysAreRefused) {
  EXPECT_TRUE(is_refused(repeated("a.", 100000) + "a = 1\n", "f.toml:1: keys or brackets are nested more than 32"));
  EXPECT_TRUE(is_refused("x = 1\n[" + repeated("a . ", 100000) + "a]\n", "f.toml:2: keys"));
  EXPECT_TRUE(is_refused("\n\n" + repeated("\"a\".'b'.", 100000), "f.toml:3: keys"));
}

TEST(TomlCheck, DeepBracketsAreRefused) {
  EXPECT_TRUE(is_refused("a = " + repeated("[", 100000), "f.toml:1: keys or brackets"));
  EXPECT_TRUE(is_refused("b = 1\na = " + repeated("{a=", 100000), "f.toml:2: keys or brackets"));
  EXPECT_TRUE(is_refused("a = " + repeated("[\n", 50), "f.toml:33: keys or brackets"));
}

// TOML 1.0 allows nothing of this (except dates); each is refused with its line.
TEST(TomlCheck, WhatIsNoTomlIsRefusedWithItsLine) {
  const std::vector<std::pair<std::string, std::string>> wrong = {
      {"a = [\n{b = 1},\n},\n]\n", "f.toml:3: a value is missing"},
      {"a = {b = [1}]\n", "f.toml:1: ',' or ']' is missing before '}]'"},
      {"a = 1\n]", "f.toml:2: a key is missing"},
      {"a = [1, 2\n", "',' or ']' is missing, and the text ends"},
      {"a = {b = 1,}\n", "a comma before '}'"},
      {"a = {b = 1\n}\n", "',' or '}' is missing before 'the end of the line'"},
      {"a = 1\n\xC6\x9B = 2\n", "f.toml:2: a letter that is not ASCII belongs in quotes"},
      {"a = 30\"\xC6\x9B\"\n", "is not a number"},
      {"a = 1\nb\n", "f.toml:2: '=' is missing"},
      {"a = \n", "a value is missing"},
      {"a = 1 b = 2\n", "the line should end before 'b = 2'"},
      {"[a\n", "']' is missing"},
      {"[[a]\n", "']]' is missing"},
      {"a = resnet20\n", "'resnet20' is not a number; text belongs in quotes"},
      {"a = 2026-11-16\n", "is not a number"},
      {"a = 012\n", "is not a number"},
      {"a = 1_\n", "is not a number"},
      {"a = 1.\n", "is not a number"},
      {"a = .5\n", "is not a number"},
      {"a = 0xG\n", "is not a number"},
      {"a = +0x1\n", "is not a number"},
      {"a = 1e\n", "is not a number"},
      {"a = \"b\n", "a quote is not closed in its line"},
      {"a = '''b\n", "''' is not closed"},
      {"a = \"\\x41\"\n", "begins an escape"},
      {"a = \"\\u12\"\n", "wants 4 digits"},
      {"a = \"\\uD800\"\n", "wants 4 digits"},
      {std::string("a = \"\0\"\n", 8), "control character"},
      {"# a\rb\n", "control character"},
      {"a = \"b\"\n\"\xFF\" = 1\n", "f.toml:2: the text is no UTF-8"},
  };
  for (const auto& [text, with] : wrong) EXPECT_TRUE(is_refused(text, with)) << text;
}

// The parser accepts all of this, so the check must not refuse it.
TEST(TomlCheck, WhatIsTomlIsNotRefused) {
  const std::vector<std::string> right = {
      "",
      "\xEF\xBB\xBF# \xC3\xB6\na = \"\xC3\xB6\"\n'\xC3\xB6' = 1\r\n",
      "[a.b]\n[[c]]\nd = [{e = [1, 2]}, '}', \"]\"] # }\n",
      "a = [ # one\n 1, # two\n\n 2,\n]\nb = []\nc = {}\nd = { x.y = 1, \"z\" = [\n1] }\n",
      "a = [+1, -17, 1_000, 0xDEAD_beef, 0o17, 0b101, 0, -0, 1.5, 1e3, -2.5E-7, 1_0.0_1, inf, -inf, nan, true]",
      "a = \"\\b\\t\\n\\f\\r\\\"\\\\ \\u00E9 \\U0001F600\"\nb = 'C:\\x'\n",
      "a = \"\"\"\none \\\n   two \"\" three\"\"\"\"\"\nb = '''\n'' \\x ''''\n",
      "lr = [" + repeated("0.1, ", 1000) + "0.1]\nmodel = \"" + repeated("a.[", 1000) + "\"\n",
      " a . 'b' . \"c\" = 1 # end",
  };
  for (const std::string& text : right) {
    EXPECT_NO_THROW(check_toml(text, "f.toml")) << text;
    EXPECT_NO_THROW((void)toml::parse(text)) << text;
  }
}

}  // namespace
}  // namespace convoy
