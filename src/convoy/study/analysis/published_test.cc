#include "convoy/study/analysis/published.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "convoy/base/error.h"
#include "convoy/base/throws_with_test.h"

namespace convoy::study {
namespace {

using testing::AllOf;
using testing::HasSubstr;

PublishedCheck check_one(const std::string& statistic, const std::string& value, const std::vector<double>& values) {
  const auto figures =
      parse_published("series,workers,statistic,value\nnet,8," + statistic + ",\"" + value + "\"\n", "p");
  return check_published(figures.at(0), std::vector{summarize(values)});
}

TEST(Published, DigitsAreTheTolerance) {
  EXPECT_EQ(check_one("mean", "21.2", {21.249}).agreement, Agreement::follows);
  EXPECT_EQ(check_one("mean", "21.2", {21.25}).agreement, Agreement::follows);
  EXPECT_EQ(check_one("mean", "21.3", {21.25}).agreement, Agreement::follows);
  EXPECT_EQ(check_one("mean", "21.2", {21.26}).agreement, Agreement::cut);
  EXPECT_EQ(check_one("mean", "21.2", {21.31}).agreement, Agreement::differs);
  EXPECT_EQ(check_one("mean", "21.3", {21.24}).agreement, Agreement::differs);  // rounding up is not cutting off
  EXPECT_EQ(check_one("mean", "21", {21.4}).agreement, Agreement::follows);
  EXPECT_EQ(check_one("mean", "21.20", {21.21}).agreement, Agreement::differs);
}

TEST(Published, EveryStatisticIsComparedWithItsOwn) {
  const std::vector<double> values = {1, 2, 6};  // their deviation is sqrt(7)
  EXPECT_EQ(check_one("mean", "3", values).agreement, Agreement::follows);
  EXPECT_EQ(check_one("median", "2", values).agreement, Agreement::follows);
  EXPECT_EQ(check_one("median", "3", values).agreement, Agreement::differs);
  EXPECT_EQ(check_one("deviation", "2.646", values).agreement, Agreement::follows);
  // The sum was divided by n instead of n - 1.
  EXPECT_EQ(check_one("deviation", "2.160", values).agreement, Agreement::differs);
  EXPECT_EQ(check_one("cv", "0.882", values).agreement, Agreement::follows);
  EXPECT_EQ(check_one("cv", "88.2%", values).agreement, Agreement::follows);
  EXPECT_EQ(check_one("cv", "88 %", values).agreement, Agreement::follows);
  EXPECT_EQ(check_one("cv", "88.3%", values).agreement, Agreement::differs);
}

TEST(Published, StatisticsAreUnderstoodAsPeopleWriteThem) {
  const std::vector<double> values = {1, 2, 6};
  for (const char* mean : {"Mean", "average", "AVG"}) {
    EXPECT_EQ(check_one(mean, "3", values).agreement, Agreement::follows) << mean;
  }
  for (const char* deviation : {"Std. dev.", "standard deviation", "SD", "std", "stdev"}) {
    EXPECT_EQ(check_one(deviation, "2.646", values).agreement, Agreement::follows) << deviation;
  }
  for (const char* cv : {"CV", "Cv (%)", "cv_percent", "Coefficient of variation"}) {
    EXPECT_EQ(check_one(cv, "88.2", values).agreement, Agreement::follows) << cv;
    EXPECT_EQ(check_one(cv, "88.3", values).agreement, Agreement::differs) << cv;
  }
}

TEST(Published, PercentIsComparedWithPercent) {
  const PublishedCheck check = check_one("CV", "88.2%", {1, 2, 6});
  EXPECT_NEAR(*check.computed, 88.19, 0.01);
  EXPECT_DOUBLE_EQ(check.figure.value, 88.2);
  EXPECT_EQ(check.text, "net, 8 workers, cv: published 88.2%, computed 88.19% (-0.0 %): follows");
  EXPECT_EQ(check_one("deviation", "88.2 %", {1, 2, 6}).agreement, Agreement::follows) << "of the mean: a CV";
  EXPECT_NEAR(*check_one("cv", "0.882", {1, 2, 6}).computed, 0.8819, 0.0001);
}

TEST(Published, ThousandsMayBeSeparated) {
  for (const char* text : {"1628.9", "1,628.9", "1'628.9", "1 628.9", "1\u202F628.9", " 1\u00A0628.9"}) {
    EXPECT_EQ(check_one("mean", text, {1628.9}).agreement, Agreement::follows) << text;
  }
  EXPECT_EQ(check_one("mean", "1,234,567", {1234567.4}).agreement, Agreement::follows);
}

TEST(Published, BothValuesAreSaid) {
  const PublishedCheck check = check_one("mean", "88.2", {88.43});
  EXPECT_DOUBLE_EQ(*check.computed, 88.43);
  EXPECT_NEAR(check.tolerance, 0.05, 1e-12);
  EXPECT_EQ(check.text, "net, 8 workers, mean: published 88.2, computed 88.43 (+0.3 %): differs by more than 0.05");
}

TEST(Published, WithoutDataThereIsNoJudgement) {
  const auto figures = parse_published("series,workers,statistic,value\nnet,4,mean,1\n", "p");
  const PublishedCheck check = check_published(figures.at(0), {});
  EXPECT_EQ(check.agreement, Agreement::no_data);
  EXPECT_THAT(check.text, AllOf(HasSubstr("4 workers"), HasSubstr("nothing to compute it from")));
  EXPECT_EQ(check_one("deviation", "0", {5}).agreement, Agreement::no_data);
  const PublishedCheck several = check_published(figures.at(0), std::vector{summarize(std::vector{1.0}), Summary{}});
  EXPECT_EQ(several.agreement, Agreement::several);
  EXPECT_FALSE(several.computed);
}

TEST(Published, FiguresMayBeOfBatchesOrThreads) {
  const auto figures = parse_published("series,batch,statistic,value\nVGG,64,CV,\"9.63%\"\n", "p.csv");
  EXPECT_EQ(figures.at(0).size_key, "batch");
  EXPECT_EQ(figures.at(0).size, 64);
  EXPECT_THAT(check_published(figures.at(0), {}).text, HasSubstr("VGG, batch 64, cv"));
  EXPECT_TRUE(throws_with<DataError>([] { (void)parse_published("series,statistic,value\n", "p.csv"); },
                                     "no column 'workers'"));
  EXPECT_TRUE(throws_with<DataError>([] { (void)parse_published("series,workers,batch,statistic,value\n", "p.csv"); },
                                     "only one can be what varies"));
}

TEST(Published, WhatIsWrongIsNamedWithItsLine) {
  const auto parse = [](const std::string& rows) {
    return [rows] { (void)parse_published("series,workers,statistic,value\n" + rows, "p.csv"); };
  };
  EXPECT_TRUE(throws_with<DataError>(parse("net,8,mode,1\n"), "p.csv:2: the statistic is 'mode'"));
  EXPECT_TRUE(throws_with<DataError>(parse("net,8,mean,1e3\n"), "p.csv:2: '1e3'"));
  EXPECT_TRUE(throws_with<DataError>(parse("net,8,mean,\n"), "p.csv:2: ''"));
  for (const char* text : {"\"88,2\"", "\"88 2\"", "\",628\"", "1.2.3", "12,3456", "nan", "%"}) {
    EXPECT_THROW(parse(std::string("net,8,mean,") + text + "\n")(), DataError) << text;
  }
  EXPECT_TRUE(throws_with<DataError>(parse("net,8,mean,9.63%\n"), "p.csv:2: a mean of 9.63%: it is in samples/s"));
  EXPECT_TRUE(throws_with<DataError>(parse("net,0,mean,1\n"), "p.csv:2: workers '0' is not a number"));
  EXPECT_TRUE(throws_with<DataError>([] { (void)parse_published("series,workers,value\n", "p.csv"); }, "'statistic'"));
}

}  // namespace
}  // namespace convoy::study
