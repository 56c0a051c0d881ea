#include "convoy/report/words.h"

#include <gtest/gtest.h>

#include "convoy/report/glossary.h"

namespace convoy::report {
namespace {

TEST(Words, CountInTheRightNumber) {
  EXPECT_EQ(count_text(1, "workers"), "1 worker");
  EXPECT_EQ(count_text(0, "workers"), "0 workers");
  EXPECT_EQ(count_text(2, "epochs"), "2 epochs");
}

TEST(Words, ShortNumbersHaveNoIdleZeros) {
  EXPECT_EQ(short_text(2), "2");
  EXPECT_EQ(short_text(2.5), "2.5");
  EXPECT_EQ(short_text(20), "20");
  EXPECT_EQ(short_text(1234.4), "1234");
  EXPECT_EQ(short_text(0.1254), "0.125");
  EXPECT_EQ(short_text(1e-9), "1.00e-09");
}

TEST(Glossary, DefinesEveryTerm) {
  for (int i = 0; i <= static_cast<int>(Term::trend); ++i) {
    EXPECT_FALSE(meaning(static_cast<Term>(i)).empty()) << i;
    EXPECT_FALSE(name_of(static_cast<Term>(i)).empty()) << i;
  }
}

}  // namespace
}  // namespace convoy::report
