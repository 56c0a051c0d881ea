#include "convoy/report/table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "convoy/base/error.h"

namespace convoy::report {
namespace {

using testing::ElementsAre;

TEST(Table, ColumnsOfNumbersAreFound) {
  Table table{.header = {"name", "workers", "rate", "empty", "mixed"}};
  table.add_row({"ring", "1", "12.3 G", "", "1"});
  table.add_row({"8", "-", "85 %", "-", "one"});
  EXPECT_THAT(number_columns(table), ElementsAre(false, true, true, false, false));
}

TEST(Table, ASentenceThatBeginsWithANumberIsNone) {
  Table table{.header = {"what to change"}};
  table.add_row({"1 of 2 cores is idle: give each worker more threads"});
  EXPECT_THAT(number_columns(table), ElementsAre(false));
}

TEST(Table, RefusesARowOfAnotherLength) {
  Table table{.header = {"a", "b"}};
  EXPECT_THROW(table.add_row({"only one"}), InternalError);
}

TEST(Csv, QuotesWhatNeedsIt) {
  Table table{.header = {"plain", "with, comma"}};
  table.add_row({"say \"hi\"", "two\nlines"});
  table.add_row({"", "µs; 'x'"});
  EXPECT_EQ(to_csv(table),
            "plain,\"with, comma\"\r\n"
            "\"say \"\"hi\"\"\",\"two\nlines\"\r\n"
            ",µs; 'x'\r\n");
}

TEST(Csv, LeavesMarksOut) {
  Table table{.header = {"a"}};
  table.add_row({"1"}, RowMark::best);
  EXPECT_EQ(to_csv(table), "a\r\n1\r\n");
}

TEST(TableCsv, SpreadsheetsComputeNothing) {
  Table table{.id = "classes", .caption = "", .header = {"class", "change"}, .rows = {}};
  table.add_row({"=cmd|calc!A1", "-1.5"});
  EXPECT_EQ(to_csv(table), "class,change\r\n'=cmd|calc!A1,-1.5\r\n");
}

TEST(Table, ColumnsThatSayNothingAreNotShown) {
  Table table{.id = "t", .caption = "", .header = {"a", "b", "c"}, .rows = {}};
  table.add_row({"-", "-", "1"});
  table.add_row({"", "", "-"}, RowMark::best);
  const Table shown = without_empty_columns(table);
  EXPECT_EQ(shown.header, (std::vector<std::string>{"a", "c"})) << "the first names the rows";
  EXPECT_EQ(shown.rows[0].cells, (std::vector<std::string>{"-", "1"}));
  EXPECT_EQ(shown.rows[1].mark, RowMark::best);
  table.rows.clear();
  EXPECT_EQ(without_empty_columns(table).header.size(), 3U);
}

Table wide_table(std::size_t columns) {
  Table table{.id = "t", .caption = "C", .header = {"series", "workers"}, .rows = {}};
  for (std::size_t i = 2; i < columns; ++i) table.header.push_back("m" + std::to_string(i));
  std::vector<std::string> cells = table.header;
  table.add_row(cells, RowMark::best);
  table.details = {"m3", "m5"};
  table.keys = 2;
  return table;
}

TEST(ShownTable, OfAWideTableSetsDetailsApart) {
  const ShownTable shown = shown_table(wide_table(kMostColumns + 1));
  EXPECT_EQ(shown.main.header.size(), kMostColumns - 1);
  ASSERT_TRUE(shown.details);
  EXPECT_THAT(shown.details->header, ElementsAre("series", "workers", "m3", "m5"));
  EXPECT_THAT(shown.details->rows[0].cells, ElementsAre("series", "workers", "m3", "m5"));
  EXPECT_EQ(shown.details->rows[0].mark, RowMark::best);
  EXPECT_THAT(shown.main.rows[0].cells, testing::Not(testing::Contains("m3")));
}

TEST(ShownTable, OfANarrowOneKeepsAll) {
  EXPECT_FALSE(shown_table(wide_table(kMostColumns)).details);
  EXPECT_EQ(shown_table(wide_table(kMostColumns)).main.header.size(), kMostColumns);
  Table table = wide_table(kMostColumns + 1);
  table.rows[0].cells[4] = "-";
  EXPECT_FALSE(shown_table(table).details) << "narrow enough without the column that says nothing";
}

TEST(ShownTable, DetailsThatSayNothingMakeNoFold) {
  Table table = wide_table(kMostColumns + 3);
  table.rows[0].cells[3] = table.rows[0].cells[5] = "-";
  EXPECT_FALSE(shown_table(table).details);
}

}  // namespace
}  // namespace convoy::report
