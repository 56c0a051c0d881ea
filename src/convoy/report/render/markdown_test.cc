#include "convoy/report/render/renderers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "convoy/base/error.h"
#include "convoy/report/document.h"
#include "convoy/report/sample_figures_test.h"

namespace convoy::report {
namespace {

using testing::HasSubstr;

std::string markdown_of(const Block& block) {
  return to_markdown({.title = "T", .sections = {{.id = "s", .title = "S", .blocks = {block}}}});
}

TEST(Markdown, FiguresAreReferencesWithTheirNumbers) {
  EXPECT_EQ(markdown_of(sample_line_figure()),
            "<!-- name=\"generator\" content=\"Convoy\" -->\n# T\n\n## S\n\n"
            "**Figure 1.** Throughput &amp; speed\n\n"
            "![Throughput &amp; speed](figures/throughput.svg)\n\n"
            "Mean of 5 repeats of `convoy train`; bars are 95 % intervals.\n\n"
            "<details><summary>Numbers of the figure</summary>\n\n"
            "| workers | images/s |\n"
            "|---:|---:|\n"
            "| 1 | 300 |\n"
            "| ★ 2 | 580 |\n"
            "| ○ 4 | 900 |\n\n"
            "★ best, ○ doubtful\n\n"
            "</details>\n");
}

TEST(Markdown, TextHasNoOtherMeaning) {
  EXPECT_THAT(markdown_of(Paragraph{"a*b* _c_ <d> [e] `f*g` | #"}),
              HasSubstr("a\\*b\\* \\_c\\_ \\<d\\> \\[e\\] `f*g` \\| \\#\n"));
  EXPECT_THAT(markdown_of(Paragraph{"- no list"}), HasSubstr("\\- no list"));
  EXPECT_THAT(markdown_of(Paragraph{"2. no list"}), HasSubstr("2\\. no list"));
  EXPECT_THAT(markdown_of(Paragraph{"2 workers"}), HasSubstr("\n2 workers\n"));
}

TEST(Markdown, CellsStayInTheirTable) {
  Table table{.id = "t", .caption = "C", .header = {"a|b"}};
  table.add_row({"x|y\nz"});
  EXPECT_THAT(markdown_of(table), HasSubstr("| a\\|b |\n|---|\n| x\\|y z |\n"));
}

TEST(Markdown, DetailsAreFolded) {
  Table table{.id = "t", .caption = "C", .header = {}, .rows = {}};
  std::vector<std::string> cells;
  for (std::size_t i = 0; i <= kMostColumns; ++i) cells.push_back("c" + std::to_string(i));
  table.header = cells;
  table.add_row(cells);
  table.details = {"c1"};
  EXPECT_THAT(markdown_of(table), HasSubstr("| c0 | c2 |"));
  EXPECT_THAT(markdown_of(table), HasSubstr("<details><summary>More columns</summary>\n\n| c0 | c1 |\n|---|---|\n"
                                            "| c0 | c1 |\n\n</details>\n"));
  Table settings{.id = "s", .caption = "Settings", .header = {"setting"}, .rows = {}, .folded = true};
  settings.add_row({"batch"});
  EXPECT_THAT(markdown_of(settings), HasSubstr("<details><summary>Settings</summary>\n\n**Table 1.** Settings\n\n"));
}

TEST(Markdown, LongTablesReferToTheirFile) {
  Table table{.id = "t", .caption = "C", .header = {"a"}};
  for (int i = 0; i < 100; ++i) table.add_row({std::to_string(i)});
  EXPECT_THAT(markdown_of(table), HasSubstr("The first 60 of 100 rows; [data/t.csv](data/t.csv) has all.\n"));
}

TEST(Markdown, AListingMayHoldFences) {
  EXPECT_THAT(markdown_of(Listing{"```\nx"}), HasSubstr("````\n```\nx\n````\n"));
}

TEST(Markdown, NoticesAndDefinitions) {
  EXPECT_THAT(markdown_of(Notice{Notice::Kind::warning, "Careful", "Too many."}),
              HasSubstr("> [!WARNING]\n> **Careful**\n>\n> Too many.\n"));
  EXPECT_THAT(markdown_of(Definitions{{{"rank", "a process"}}}), HasSubstr("- **rank**: a process\n"));
  EXPECT_THAT(markdown_of(Highlights{{{"best", "1,234", "8 workers"}}}), HasSubstr("- best: **1,234** (8 workers)\n"));
}

TEST(Markdown, RefusesABadDocument) {
  EXPECT_THROW(static_cast<void>(to_markdown({.sections = {{.id = ""}}})), InternalError);
}

TEST(InlineText, IsCutAtBackticks) {
  const auto runs = text_runs("a `b` c`d");
  ASSERT_EQ(runs.size(), 3U);
  EXPECT_EQ(runs[0].text, "a ");
  EXPECT_EQ(runs[1].text, "b");
  EXPECT_TRUE(runs[1].is_code);
  EXPECT_EQ(runs[2].text, " c`d") << "no partner";
  EXPECT_TRUE(text_runs("").empty());
}

}  // namespace
}  // namespace convoy::report
