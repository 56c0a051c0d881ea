#include "convoy/report/render/renderers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "convoy/report/figure.h"

namespace convoy::report {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

Section section(std::vector<Block> blocks) { return {.id = "s", .title = "Title", .blocks = std::move(blocks)}; }

TEST(PlainText, WrapsParagraphsAndDropsMarksOfCode) {
  std::string words;
  for (int i = 0; i < 60; ++i) words += "`word` ";
  std::istringstream text(to_plain_text(section({Paragraph{words}})));
  std::string line;
  std::size_t longest = 0;
  while (std::getline(text, line)) longest = std::max(longest, line.size());
  EXPECT_EQ(longest, 99U);  // twenty words and the blanks between them
  EXPECT_THAT(to_plain_text(section({Paragraph{"a `b` c"}})), HasSubstr("\na b c\n"));
}

TEST(PlainText, CountsCharactersAndNotBytes) {
  const std::string line(98, 'x');
  EXPECT_THAT(to_plain_text(section({Paragraph{line + " \u00e9"}})), HasSubstr(line + " \u00e9\n"));
  EXPECT_THAT(to_plain_text(section({Paragraph{line + " \u00e9\u00e9"}})), HasSubstr(line + "\n\u00e9\u00e9\n"));
}

TEST(PlainText, NamesWhatRowsAreMarkedAs) {
  Table table{.id = "t", .caption = "Caption", .header = {"a", "b"}, .rows = {}};
  table.add_row({"x", "1"});
  table.add_row({"y", "2"}, RowMark::failed);
  table.add_row({"z", "10"}, RowMark::doubtful);
  EXPECT_EQ(to_plain_text(section({table})),
            "Title\n\nCaption:\n"
            "a   b\n---------------\nx   1\ny   2  failed\nz  10  doubtful\n");
}

TEST(PlainText, SaysOnceWhatAllRowsOfAWideTableShare) {
  Table table{.id = "t", .caption = "", .header = {"a", "same", "unknown"}, .rows = {}};
  table.add_row({"x", std::string(60, 's'), "-"});
  table.add_row({std::string(60, 'y'), std::string(60, 's'), "-"});
  const std::string text = to_plain_text(section({table}));
  EXPECT_THAT(text, HasSubstr("The same in all rows: same " + std::string(60, 's') + "."));
  EXPECT_THAT(text, Not(HasSubstr("unknown")));
}

TEST(PlainText, PutsCellsOnOneLine) {
  Table table{.id = "t", .caption = "", .header = {"a"}, .rows = {}};
  table.add_row({"two\nlines"});
  EXPECT_THAT(to_plain_text(section({table})), HasSubstr("two lines\n"));
}

TEST(PlainText, HasNoticesHighlightsListingsAndNoFigures) {
  const LineChart chart{.x = {.title = "x", .categories = {}}, .y = {.title = "y", .categories = {}}, .series = {}};
  const std::string text = to_plain_text(section(
      {Notice{Notice::Kind::warning, "Careful", "It is hot."}, Notice{Notice::Kind::note, "By the way", "It is late."},
       Highlights{{{"best", "12 s", "of many"}, {"longest", "3 s", ""}}}, Listing{"a \\\n  b", "Command"},
       Definitions{{{"term", "meaning"}}}, make_figure("f", "Figure title", "definition", chart)}));
  EXPECT_THAT(text, HasSubstr("WARNING: Careful: It is hot.\n"));
  EXPECT_THAT(text, HasSubstr("Note: By the way: It is late.\n"));
  EXPECT_THAT(text, HasSubstr("best     12 s  (of many)\nlongest  3 s\n"));
  EXPECT_THAT(text, HasSubstr("Command:\n  a \\\n    b\n"));
  EXPECT_THAT(text, HasSubstr("term: meaning\n"));
  EXPECT_THAT(text, Not(HasSubstr("Figure title")));
}

}  // namespace
}  // namespace convoy::report
