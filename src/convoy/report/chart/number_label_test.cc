#include "convoy/report/chart/number_label.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace convoy::report {
namespace {

using testing::ElementsAre;

TEST(NumberLabel, KeepsThreeDigits) {
  EXPECT_EQ(number_label(0), "0");
  EXPECT_EQ(number_label(-0.0), "0");
  EXPECT_EQ(number_label(1), "1");
  EXPECT_EQ(number_label(0.5), "0.5");
  EXPECT_EQ(number_label(0.12345), "0.123");
  EXPECT_EQ(number_label(12.345), "12.3");
  EXPECT_EQ(number_label(-12.345), "−12.3");
  EXPECT_EQ(number_label(1000), "1,000");
  EXPECT_EQ(number_label(65536), "65,536");
}

TEST(NumberLabel, UsesUnitsAndPowersForTheRest) {
  EXPECT_EQ(number_label(131072), "131 k");
  EXPECT_EQ(number_label(1.5e6), "1.5 M");
  EXPECT_EQ(number_label(1e12), "1 T");
  EXPECT_EQ(number_label(0.001), "0.001");
  EXPECT_EQ(number_label(1e-4), "10⁻⁴");
  EXPECT_EQ(number_label(2.5e-5), "2.5·10⁻⁵");
  EXPECT_EQ(number_label(1e20), "10²⁰");
}

TEST(NumberLabel, SaysNothingOfWhatIsNoNumber) {
  EXPECT_EQ(number_label(std::numeric_limits<double>::quiet_NaN()), "–");
  EXPECT_EQ(number_label(std::numeric_limits<double>::infinity()), "–");
}

TEST(NumberLabels, AreAlike) {
  const auto labels = [](std::vector<double> values, double resolution) { return number_labels(values, resolution); };
  EXPECT_THAT(labels({0, 0.5, 1}, 0.5), ElementsAre("0.0", "0.5", "1.0"));
  EXPECT_THAT(labels({0, 2000, 10000}, 2000), ElementsAre("0", "2,000", "10,000"));
  EXPECT_THAT(labels({0, 50e3, 100e3}, 50e3), ElementsAre("0", "50 k", "100 k"));
  EXPECT_THAT(labels({0, 0.2e6, 1.2e6}, 0.2e6), ElementsAre("0", "0.2 M", "1.2 M"));
  EXPECT_THAT(labels({0, 2e-5, 1e-4}, 2e-5), ElementsAre("0", "0.2·10⁻⁴", "1.0·10⁻⁴"));
  EXPECT_THAT(labels({-1, 0, 1}, 1), ElementsAre("−1", "0", "1"));
  EXPECT_THAT(labels({0, 0}, 1), ElementsAre("0", "0"));
}

TEST(NumberLabels, TellCloseValuesApart) {
  const std::vector<double> values = {1000000.25, 1000000.50};
  const auto labels = number_labels(values, 0.25);
  EXPECT_NE(labels[0], labels[1]);
}

}  // namespace
}  // namespace convoy::report
