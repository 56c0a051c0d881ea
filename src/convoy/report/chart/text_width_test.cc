#include "convoy/report/chart/text_width.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace convoy::report {
namespace {

using testing::ElementsAre;

TEST(TextWidth, GrowsWithTheText) {
  EXPECT_EQ(text_width(""), 0);
  EXPECT_LT(text_width("iii"), text_width("mmm"));
  EXPECT_DOUBLE_EQ(text_width("abab"), 2 * text_width("ab"));
  EXPECT_DOUBLE_EQ(text_width("µ"), text_width("é")) << "characters count, not bytes";
  EXPECT_GT(text_width("日本"), text_width("ab"));
}

TEST(Shortened, KeepsWhatFits) { EXPECT_EQ(shortened("ring", 1000), "ring"); }

TEST(Shortened, EndsWithAnEllipsisInsideOfTheWidth) {
  const std::string text = "recursive doubling over everything";
  const std::string cut = shortened(text, 100);
  EXPECT_TRUE(cut.ends_with("…"));
  EXPECT_TRUE(text.starts_with(cut.substr(0, cut.size() - std::string("…").size())));
  EXPECT_LE(text_width(cut), 100);
  EXPECT_GT(text_width(cut), 80);
}

TEST(Shortened, CutsBetweenCharacters) {
  const std::string cut = shortened("µµµµµµµµµµ", 50);
  EXPECT_EQ((cut.size() - std::string("…").size()) % 2, 0U);
}

TEST(Shortened, OfNoWidthIsTheEllipsis) { EXPECT_EQ(shortened("abc", 0), "…"); }

TEST(Wrapped, BreaksBetweenWords) {
  EXPECT_THAT(wrapped("one two  three", text_width("one two ")), ElementsAre("one two", "three"));
  EXPECT_THAT(wrapped("", 100), ElementsAre());
  for (const std::string& line : wrapped("a fairly long sentence of quite a few words in a row", 120)) {
    EXPECT_LE(text_width(line), 120);
  }
}

TEST(ToldApart, LeavesOutWhatNamesShare) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(told_apart({"batch 64, lr 0.1, workers 2", "batch 64, lr 0.2, workers 2"}), (Names{"lr 0.1", "lr 0.2"}));
  EXPECT_EQ(told_apart({"a, b", "c"}), (Names{"a, b", "c"})) << "parts that cannot be matched";
  EXPECT_EQ(told_apart({"a, b", "a, b"}), (Names{"a, b", "a, b"})) << "nothing would be left";
  EXPECT_EQ(told_apart({"a, b"}), (Names{"a, b"}));
  EXPECT_TRUE(told_apart({}).empty());
}

}  // namespace
}  // namespace convoy::report
