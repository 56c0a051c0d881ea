#include "convoy/base/text_table.h"

#include <gtest/gtest.h>

#include "convoy/base/error.h"

namespace convoy {
namespace {

TEST(TextTable, AlignsTextLeftAndNumbersRight) {
  TextTable table({"layer", "output", "parameters"});
  table.add_row({"conv1", "64x112x112", "9,408"});
  table.add_row({"fc", "1000", "-"});
  table.add_rule();
  table.add_row({"total", "", "1,025,000"});
  EXPECT_EQ(table.to_string(),
            "layer  output      parameters\n"
            "-----------------------------\n"
            "conv1  64x112x112       9,408\n"
            "fc     1000                 -\n"
            "-----------------------------\n"
            "total               1,025,000\n");
}

TEST(TextTable, NumbersMayCarryUnits) {
  TextTable table({"name", "rate"});
  table.add_row({"a", "12.3 G"});
  table.add_row({"b", "-1.5e-3"});
  table.add_row({"c", "85 %"});
  EXPECT_EQ(table.to_string(),
            "name     rate\n"
            "-------------\n"
            "a      12.3 G\n"
            "b     -1.5e-3\n"
            "c        85 %\n");
}

TEST(TextTable, CountsCharactersNotBytes) {
  TextTable table({"unit", "x"});
  table.add_row({"µs", "1"});
  table.add_row({"seconds", "2"});
  EXPECT_EQ(table.to_string(),
            "unit     x\n"
            "----------\n"
            "µs       1\n"
            "seconds  2\n");
}

TEST(TextTable, HasNoTrailingBlanks) {
  TextTable table({"a", "wide header"});
  table.add_row({"b", "c"});
  table.add_row({"d", ""});
  EXPECT_EQ(table.to_string().find(" \n"), std::string::npos);
}

TEST(TextTable, RefusesARowOfAnotherLength) {
  TextTable table({"a", "b"});
  EXPECT_THROW(table.add_row({"only one"}), InternalError);
}

TEST(TextTable, CellsDoNotCommandTheTerminal) {
  TextTable table({"class\x1b[2J"});
  table.add_row({"cat\x1b[31m\ndog"});
  EXPECT_EQ(table.to_string(), "class\\x1b[2J\n----------------\ncat\\x1b[31m\\ndog\n");
}

}  // namespace
}  // namespace convoy
