#include "convoy/report/render/renderers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "convoy/base/error.h"
#include "convoy/report/chart/xml_reader_test.h"
#include "convoy/report/sample_figures_test.h"

namespace convoy::report {
namespace {

using testing::HasSubstr;
using testing::Not;

Document everything() {
  Table table{.id = "runs", .caption = "All <runs>", .header = {"name", "rate"}};
  table.add_row({"ring & co", "12.5"}, RowMark::best);
  table.add_row({"auto", "-"}, RowMark::failed);
  Document document{.title = "Title <b>", .subtitle = "Sub & title"};
  document.sections.push_back(
      {.id = "first",
       .title = "First & foremost",
       .blocks = {Paragraph{"Run `a < b` & see."}, Highlights{{{"best", "1,234 images/s", "8 workers"}}}, table,
                  Listing{"convoy train --x <y>\n", "Commands"}, Notice{Notice::Kind::warning, "Careful", "Too many."},
                  Definitions{{{"rank", "a process"}}}}});
  Section figures{.id = "second", .title = "Second"};
  for (const Figure& figure : sample_figures()) figures.blocks.emplace_back(figure);
  document.sections.push_back(figures);
  return document;
}

std::vector<XmlElement> parsed(const Document& document) { return read_xml(to_html(document)); }

TEST(Html, IsWellFormed) {
  EXPECT_NO_THROW(static_cast<void>(parsed(everything())));
  EXPECT_NO_THROW(static_cast<void>(parsed({})));
}

TEST(Html, NeedsNothingElse) {
  const std::string html = to_html(everything());
  EXPECT_THAT(html, Not(HasSubstr("http")));
  EXPECT_THAT(html, Not(HasSubstr("<script")));
  EXPECT_THAT(html, Not(HasSubstr("@import")));
  for (const XmlElement& element : parsed(everything())) {
    EXPECT_EQ(element.at("src"), "");
    if (element.name != "a") continue;
    EXPECT_TRUE(element.at("href").starts_with('#') || element.at("href").starts_with("data:"));
  }
}

TEST(Html, EveryIdIsUniqueAndEveryLinkLeadsSomewhere) {
  const auto elements = parsed(everything());
  std::set<std::string> ids;
  for (const XmlElement& element : elements) {
    if (element.at("id").empty()) continue;
    EXPECT_TRUE(ids.insert(element.at("id")).second) << element.at("id");
  }
  std::size_t links = 0;
  for (const XmlElement& link : named(elements, "a")) {
    if (!link.at("href").starts_with('#')) continue;
    EXPECT_TRUE(ids.contains(link.at("href").substr(1))) << link.at("href");
    ++links;
  }
  EXPECT_EQ(links, 3U) << "two sections and the skip link";
  for (const XmlElement& element : elements) {
    if (element.at("fill").starts_with("url(#")) {
      EXPECT_TRUE(ids.contains(element.at("fill").substr(5, element.at("fill").size() - 6)));
    }
  }
}

TEST(Html, DetailsOfWideTablesAreFolded) {
  Table table{.id = "t", .caption = "Wide", .header = {}, .rows = {}};
  std::vector<std::string> cells;
  for (std::size_t i = 0; i <= kMostColumns; ++i) cells.push_back("c" + std::to_string(i));
  table.header = cells;
  table.add_row(cells);
  table.details = {"c1", "c2"};
  Table settings{.id = "s", .caption = "Settings", .header = {"setting"}, .rows = {}, .folded = true};
  settings.add_row({"batch"});
  const Document document{.title = "T", .sections = {{.id = "x", .title = "X", .blocks = {table, settings}}}};
  const auto elements = parsed(document);
  EXPECT_EQ(named(elements, "table").size(), 3U);
  EXPECT_EQ(named(elements, "details").size(), 2U);
  EXPECT_EQ(named(elements, "th").size(), (kMostColumns - 1) + 1 + 3 + 1 + 1 + 1) << "columns, and the first of rows";
  EXPECT_THAT(to_html(document), HasSubstr("<summary>More columns</summary>"));
  EXPECT_THAT(to_html(document), HasSubstr("<summary>Settings</summary>"));
  EXPECT_EQ(named(elements, "caption").size(), 2U);
}

TEST(Html, HasTheLandmarksOfAPage) {
  const auto elements = parsed(everything());
  for (const char* name : {"header", "nav", "main", "h1"}) EXPECT_EQ(named(elements, name).size(), 1U) << name;
  EXPECT_EQ(named(elements, "section").size(), 2U);
  EXPECT_EQ(named(elements, "figure").size(), 5U);
  EXPECT_EQ(named(elements, "figcaption").size(), 5U);
  EXPECT_EQ(named(elements, "html").front().at("lang"), "en");
  EXPECT_EQ(named(elements, "h1").front().text, "Title <b>");
}

TEST(Html, TablesHaveHeadersWithScopeAndNumbersToTheRight) {
  const auto elements = parsed(everything());
  const auto headers = named(elements, "th");
  EXPECT_EQ(headers[0].at("scope"), "col");
  EXPECT_EQ(headers[0].at("class"), "");
  EXPECT_EQ(headers[1].at("class"), "num");
  EXPECT_EQ(headers[2].at("scope"), "row");
  EXPECT_EQ(headers[2].text, " ring & co");
  EXPECT_EQ(with_class(elements, "sign")[0].at("aria-label"), "best");
  EXPECT_EQ(with_class(elements, "sign")[1].at("aria-label"), "failed");
  EXPECT_EQ(with_class(elements, "more")[0].text, "★ best, ✕ failed");
}

TEST(Html, NumbersAreOfferedAsCsvInsideOfThePage) {
  const auto links = with_class(parsed(everything()), "csv");
  ASSERT_EQ(links.size(), 2U) << "the table, and the only figure with data";
  EXPECT_EQ(links[0].at("download"), "runs.csv");
  EXPECT_EQ(links[0].at("href"), "data:text/csv;charset=utf-8,name,rate%0D%0Aring%20%26%20co,12.5%0D%0Aauto,-%0D%0A");
}

TEST(Html, DataOfFiguresIsFoldedAndCutWhereItIsLong) {
  Figure figure = sample_line_figure();
  for (int i = 0; i < 1000; ++i) figure.data.add_row({"1", "2"});
  const Document document{.title = "t", .sections = {{.id = "s", .title = "S", .blocks = {figure}}}};
  const std::string html = to_html(document);
  EXPECT_EQ(named(read_xml(html), "details").size(), 1U);
  EXPECT_EQ(named(read_xml(html), "tr").size(), 201U);
  EXPECT_THAT(html, HasSubstr("The first 200 of 1003 rows; the file has all."));
}

TEST(Html, CodeIsSetAsCode) {
  EXPECT_THAT(to_html(everything()), HasSubstr("<p>Run <code>a &lt; b</code> &amp; see.</p>"));
}

TEST(Html, FiguresAndTablesAreNumbered) {
  const std::string html = to_html(everything());
  EXPECT_THAT(html, HasSubstr("Table 1."));
  for (const char* label : {"Figure 1.", "Figure 5."}) EXPECT_THAT(html, HasSubstr(label));
  EXPECT_THAT(html, Not(HasSubstr("Figure 6.")));
}

TEST(Html, RefusesABadDocument) {
  EXPECT_THROW(static_cast<void>(to_html({.sections = {{.id = "A B"}}})), InternalError);
}

}  // namespace
}  // namespace convoy::report
