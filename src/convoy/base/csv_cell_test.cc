#include "convoy/base/csv_cell.h"

#include <gtest/gtest.h>

namespace convoy {
namespace {

TEST(CsvCell, NothingIsComputed) {
  EXPECT_EQ(csv_cell("=cmd|calc!A1"), "'=cmd|calc!A1");
  EXPECT_EQ(csv_cell("+1+cmd|calc!A1"), "'+1+cmd|calc!A1");
  EXPECT_EQ(csv_cell("-2+3"), "'-2+3");
  EXPECT_EQ(csv_cell("-1 +cmd|calc!A1"), "'-1 +cmd|calc!A1");
  EXPECT_EQ(csv_cell("@SUM(A1)"), "'@SUM(A1)");
  EXPECT_EQ(csv_cell("\t=1"), "'\t=1");
  EXPECT_EQ(csv_cell("\r=1"), "\"'\r=1\"");
  EXPECT_EQ(csv_cell("=HYPERLINK(\"a\",1)"), "\"'=HYPERLINK(\"\"a\"\",1)\"");
}

TEST(CsvCell, NumbersAndOtherTextStay) {
  for (const char* text : {"", "-", "-1.5", "+0.3 %", "-1.2e-05", "-2.5 GiB/s", "cat", "a=b", "'quoted'", "don't"}) {
    EXPECT_EQ(csv_cell(text), text);
  }
  EXPECT_EQ(csv_cell("-1,663"), "\"-1,663\"");
  EXPECT_EQ(csv_cell("a,b"), "\"a,b\"");
  EXPECT_EQ(csv_cell("say \"a\"\n"), "\"say \"\"a\"\"\n\"");
}

TEST(CsvCell, TheTextComesBack) {
  for (const char* text : {"=cmd", "'=cmd", "''=cmd", "-1", "-", "cat", "'cat", "'-1", "'-", "@x", "-x", "'-x", "'"}) {
    EXPECT_EQ(text_of_csv_cell(csv_cell(text)), text);
  }
}

}  // namespace
}  // namespace convoy
