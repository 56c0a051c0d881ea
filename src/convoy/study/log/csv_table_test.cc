#include "convoy/study/log/csv_table.h"

#include <gtest/gtest.h>

#include "convoy/base/error.h"
#include "convoy/base/throws_with_test.h"

namespace convoy::study {
namespace {

TEST(CsvTable, RowsAreFoundByName) {
  const CsvTable table("# a comment\n name , value\r\n\nx, 1.5\n\"a, \"\"b\"\"\",-2e3\n", "t.csv");
  ASSERT_EQ(table.rows(), 2);
  EXPECT_EQ(table.text(0, "name"), "x");
  EXPECT_EQ(table.number(0, "value"), 1.5);
  EXPECT_EQ(table.text(1, "name"), "a, \"b\"");
  EXPECT_EQ(table.number(1, "value"), -2000);
  EXPECT_TRUE(table.has_column("value"));
  EXPECT_FALSE(table.has_column("other"));
  EXPECT_EQ(table.text(0, "other"), "");
  EXPECT_FALSE(table.number(0, "other"));
  EXPECT_EQ(table.place(1), "t.csv:5");
}

TEST(CsvTable, EmptyCellsAreNoNumbers) {
  const CsvTable table("a,b,c\n1,,\n", "t.csv");
  EXPECT_FALSE(table.number(0, "b"));
  EXPECT_FALSE(table.number(0, "c"));
}

TEST(CsvTable, WhatIsWrongIsNamedWithItsLine) {
  const auto make = [](const char* text) { return [text] { (void)CsvTable(text, "t.csv"); }; };
  EXPECT_TRUE(throws_with<DataError>(make("a,b\n1,2\n1\n"), "t.csv:3: 1 cells under 2 columns"));
  EXPECT_TRUE(throws_with<DataError>(make("a,b\n1,2,3\n"), "t.csv:2: 3 cells"));
  EXPECT_TRUE(throws_with<DataError>(make("a,b\n\"1,2\n"), "t.csv:2: a quote"));
  EXPECT_TRUE(throws_with<DataError>(make("a,b\n\"1\"x,2\n"), "t.csv:2: a quote"));
  EXPECT_TRUE(throws_with<DataError>(make("a,a\n1,2\n"), "twice"));
  EXPECT_TRUE(throws_with<DataError>(make("# only\n"), "no row of column names"));
  const CsvTable table("a\nx\ninf\n", "t.csv");
  EXPECT_TRUE(throws_with<DataError>([&] { (void)table.number(0, "a"); }, "t.csv:2: 'x' in column 'a'"));
  EXPECT_TRUE(throws_with<DataError>([&] { (void)table.number(1, "a"); }, "t.csv:3: "));
}

TEST(CsvTable, UnknownColumnsGetASuggestion) {
  const CsvTable table("epoch,secnds\n1,2\n", "t.csv");
  EXPECT_TRUE(throws_with<DataError>(
      [&] {
        table.require_known(std::vector<std::string>{"epoch", "seconds"});
      },
      "'secnds' is not known; did you mean 'seconds'?"));
}

TEST(CsvTable, CellsOfConvoysOwnComeBack) {
  const CsvTable table("class,change\r\n'=cmd|calc!A1,-1.5\r\n'cat',+2\r\n", "a.csv");
  EXPECT_EQ(table.text(0, "class"), "=cmd|calc!A1");
  EXPECT_EQ(table.number(0, "change"), -1.5);
  EXPECT_EQ(table.text(1, "class"), "'cat'");
}

TEST(CsvTable, AMessageQuotesNoLongCell) {
  const CsvTable table("a\n" + std::string(10 << 20, 'x') + "\n", "a.csv");
  try {
    (void)table.number(0, "a");
    FAIL();
  } catch (const DataError& error) {
    EXPECT_LT(std::string_view(error.what()).size(), 400U);
  }
}

}  // namespace
}  // namespace convoy::study
