#include "convoy/study/published.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "convoy/base/error.h"
#include "convoy/base/throws_with_test.h"

namespace convoy::study {
namespace {

using testing::AllOf;
using testing::HasSubstr;

PublishedCheck check_one(const std::string& statistic, const std::string& value, const std::vector<double>& values) {
  const auto figures = parse_published("series,workers,statistic,value\nnet,8," + statistic + "," + value + "\n", "p");
  return check_published(figures, {{{"net", 8}, summarize(values)}}).at(0);
}

TEST(Published, DigitsAreTheTolerance) {
  EXPECT_EQ(check_one("mean", "21.2", {21.249}).agreement, Agreement::follows);
  EXPECT_EQ(check_one("mean", "21.2", {21.25}).agreement, Agreement::follows);
  EXPECT_EQ(check_one("mean", "21.3", {21.25}).agreement, Agreement::follows);
  EXPECT_EQ(check_one("mean", "21.2", {21.26}).agreement, Agreement::cut);
  EXPECT_EQ(check_one("mean", "21.2", {21.31}).agreement, Agreement::differs);
  EXPECT_EQ(check_one("mean", "21.3", {21.24}).agreement, Agreement::differs);  // rounded up is no cutting
  EXPECT_EQ(check_one("mean", "21", {21.4}).agreement, Agreement::follows);
  EXPECT_EQ(check_one("mean", "21.20", {21.21}).agreement, Agreement::differs);
}

TEST(Published, EveryStatisticIsComparedWithItsOwn) {
  const std::vector<double> values = {1, 2, 6};  // deviation sqrt(7)
  EXPECT_EQ(check_one("mean", "3", values).agreement, Agreement::follows);
  EXPECT_EQ(check_one("median", "2", values).agreement, Agreement::follows);
  EXPECT_EQ(check_one("median", "3", values).agreement, Agreement::differs);
  EXPECT_EQ(check_one("deviation", "2.646", values).agreement, Agreement::follows);
  EXPECT_EQ(check_one("deviation", "2.160", values).agreement, Agreement::differs);  // divided by n, not n - 1
  EXPECT_EQ(check_one("cv", "0.882", values).agreement, Agreement::follows);
  EXPECT_EQ(check_one("cv", "88.2%", values).agreement, Agreement::follows);
  EXPECT_EQ(check_one("cv", "88 %", values).agreement, Agreement::follows);
  EXPECT_EQ(check_one("cv", "88.3%", values).agreement, Agreement::differs);
}

TEST(Published, BothValuesAreSaid) {
  const PublishedCheck check = check_one("mean", "88.2", {88.43});
  EXPECT_DOUBLE_EQ(*check.computed, 88.43);
  EXPECT_NEAR(check.tolerance, 0.05, 1e-12);
  EXPECT_EQ(check.text, "net, 8 workers, mean: published 88.2, computed 88.43 (+0.3 %): differs by more than 0.05");
}

TEST(Published, WithoutDataThereIsNoJudgement) {
  const auto figures = parse_published("series,workers,statistic,value\nnet,4,mean,1\n", "p");
  const PublishedCheck check = check_published(figures, {{{"net", 8}, Summary{}}}).at(0);
  EXPECT_EQ(check.agreement, Agreement::no_data);
  EXPECT_THAT(check.text, AllOf(HasSubstr("4 workers"), HasSubstr("nothing to compute it from")));
  EXPECT_EQ(check_one("deviation", "0", {5}).agreement, Agreement::no_data);
}

TEST(Published, WhatIsWrongIsNamedWithItsLine) {
  const auto parse = [](const std::string& rows) {
    return [rows] { (void)parse_published("series,workers,statistic,value\n" + rows, "p.csv"); };
  };
  EXPECT_TRUE(throws_with<DataError>(parse("net,8,mode,1\n"), "p.csv:2: the statistic is 'mode'"));
  EXPECT_TRUE(throws_with<DataError>(parse("net,8,mean,1e3\n"), "p.csv:2: '1e3'"));
  EXPECT_TRUE(throws_with<DataError>(parse("net,8,mean,\n"), "p.csv:2: ''"));
  EXPECT_TRUE(throws_with<DataError>(parse("net,0,mean,1\n"), "p.csv:2: workers are '0'"));
  EXPECT_TRUE(throws_with<DataError>([] { (void)parse_published("series,workers,value\n", "p.csv"); }, "'statistic'"));
}

}  // namespace
}  // namespace convoy::study
