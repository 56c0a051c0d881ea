#include "convoy/report/measured_values.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace convoy::report {
namespace {

MaybeSummary summary(const std::vector<double>& values) { return summarize(values); }

TEST(CellText, OfOneValueHasNoSpread) {
  const MaybeSummary one = summary({5});
  EXPECT_EQ(mean_cell(one), "5.000");
  EXPECT_EQ(median_cell(one), "5.000");
  EXPECT_EQ(deviation_cell(one), "-");
  EXPECT_EQ(cv_cell(one), "-");
  EXPECT_EQ(interval_cell(one), "-");
}

TEST(CellText, OfSeveralHasAll) {
  const MaybeSummary two = summary({9, 11});
  EXPECT_EQ(mean_cell(two, 1000), "10000");
  EXPECT_EQ(deviation_cell(two), "1.414");
  EXPECT_EQ(cv_cell(two), "14.1");
  EXPECT_EQ(interval_cell(two), "2.795 to 35.78");
  EXPECT_EQ(interval_cell(two, 10, 100), "27.95 to 100.0");
}

TEST(CellText, OfNothingIsADash) {
  EXPECT_EQ(mean_cell(std::nullopt), "-");
  EXPECT_EQ(interval_cell(MaybeSummary()), "-");
  EXPECT_EQ(number_cell(std::nullopt), "-");
  EXPECT_EQ(percent_cell(std::nullopt), "-");
  EXPECT_EQ(percent_cell(0.1234), "12.3");
}

TEST(CellText, OfAnEstimateMayBeOpen) {
  const double infinite = std::numeric_limits<double>::infinity();
  EXPECT_EQ(interval_cell(study::Estimate{3, study::Interval{2, 4}}, 10), "20.00 to 40.00");
  EXPECT_EQ(interval_cell(study::Estimate{3, study::Interval{2, infinite}}), "2.000 or more");
  EXPECT_EQ(interval_cell(study::Estimate{3, {}}), "-");
}

}  // namespace
}  // namespace convoy::report
