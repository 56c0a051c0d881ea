#include "convoy/study/log/log_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace convoy::study {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> texts(std::string_view text) {
  std::vector<std::string> found;
  for (const LogLine& line : log_lines(text)) found.push_back(line.text);
  return found;
}

TEST(LogText, WhatAReportAddsIsTakenOff) {
  EXPECT_THAT(texts("> loss = 5.3 \\* 100, \\[Training\\]\n```\n* a  b\t c\\_d  \n`x y`\n> > - z<br>\n"),
              ElementsAre("loss = 5.3 * 100, [Training]", "a b c_d", "x y", "z"));
  EXPECT_THAT(texts("a\u00A0b\n"), ElementsAre("a b"));
  EXPECT_THAT(texts("\n \n>\n"), IsEmpty());
}

TEST(LogText, WhatATerminalOverwritesAreLinesOfTheirOwn) {
  const auto lines = log_lines("x\n1/2 \b\b\b\r2/2\r\n\x1b[1m3/3\x1b[0m\n");
  ASSERT_EQ(lines.size(), 4);
  EXPECT_EQ(lines[1].text, "1/2");
  EXPECT_EQ(lines[2].text, "2/2");
  EXPECT_EQ(lines[1].number, 2);
  EXPECT_EQ(lines[2].number, 2);
  EXPECT_EQ(lines[3].text, "3/3");
}

TEST(LogText, TagsOfALauncherTellTheRank) {
  const auto lines = log_lines("[1,3]<stdout>: Epoch 1/2\n[2]<stderr>:x\n[Training] a>: b\n");
  ASSERT_EQ(lines.size(), 3);
  EXPECT_EQ(lines[0].text, "Epoch 1/2");
  EXPECT_EQ(lines[0].rank, 3);
  EXPECT_EQ(lines[1].rank, 2);
  EXPECT_EQ(lines[2].text, "[Training] a>: b");
  EXPECT_FALSE(lines[2].rank);
}

TEST(LogText, HeadingsAreKnown) {
  EXPECT_TRUE(is_heading({.text = "## Four nodes"}));
  EXPECT_FALSE(is_heading({.text = "#pragma"}));
  EXPECT_FALSE(is_heading({.text = "text # more"}));
}

TEST(LogText, NumbersAreWholeTexts) {
  EXPECT_EQ(number_in("1.5"), 1.5);
  EXPECT_TRUE(std::isnan(*number_in("nan")));
  EXPECT_FALSE(number_in("1.5x"));
  EXPECT_FALSE(number_in(""));
}

}  // namespace
}  // namespace convoy::study
