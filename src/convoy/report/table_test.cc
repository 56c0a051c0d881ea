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

}  // namespace
}  // namespace convoy::report
