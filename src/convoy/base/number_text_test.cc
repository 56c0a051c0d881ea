#include "convoy/base/number_text.h"

#include <gtest/gtest.h>

#include <limits>

namespace convoy {
namespace {

TEST(GroupedText, PutsACommaBeforeEachThirdDigit) {
  EXPECT_EQ(grouped_text(0), "0");
  EXPECT_EQ(grouped_text(999), "999");
  EXPECT_EQ(grouped_text(1000), "1,000");
  EXPECT_EQ(grouped_text(1663370), "1,663,370");
  EXPECT_EQ(grouped_text(-123), "-123");
  EXPECT_EQ(grouped_text(-123456), "-123,456");
  EXPECT_EQ(grouped_text(std::numeric_limits<std::int64_t>::min()), "-9,223,372,036,854,775,808");
}

TEST(BytesText, UsesBinaryUnits) {
  EXPECT_EQ(bytes_text(0), "0 B");
  EXPECT_EQ(bytes_text(512), "512 B");
  EXPECT_EQ(bytes_text(1023), "1023 B");
  EXPECT_EQ(bytes_text(1024), "1 KiB");
  EXPECT_EQ(bytes_text(1.5 * 1024 * 1024 * 1024), "1.5 GiB");
  EXPECT_EQ(bytes_text(1023.9 * 1024), "1 MiB");
  EXPECT_EQ(bytes_text(123.0 * 1024 * 1024), "123 MiB");
}

TEST(ScaledText, KeepsThreeDigits) {
  EXPECT_EQ(scaled_text(0), "0");
  EXPECT_EQ(scaled_text(950), "950");
  EXPECT_EQ(scaled_text(1663370), "1.66 M");
  EXPECT_EQ(scaled_text(12.34e9), "12.3 G");
  EXPECT_EQ(scaled_text(999999), "1 M");
  EXPECT_EQ(scaled_text(99.96e6), "100 M");
  EXPECT_EQ(scaled_text(9.999e3), "10 k");
  EXPECT_EQ(scaled_text(-4200), "-4.2 k");
  EXPECT_EQ(scaled_text(0.125), "0.12");
}

TEST(ReadsAsNumber, TakesUnitsAndRefusesShapes) {
  for (const char* cell : {"0", "1,663", "-0.5", "+3", ".25", "1.5e-3", "12.3 G", "85 %", "85%"}) {
    EXPECT_TRUE(reads_as_number(cell)) << cell;
  }
  for (const char* cell : {"", "-", "3x224x224", "ring", "1st", "e5"}) {
    EXPECT_FALSE(reads_as_number(cell)) << cell;
  }
}

TEST(SignificantText, KeepsTheDigitsThatCountAndAllWholeOnes) {
  EXPECT_EQ(significant_text(1.93), "1.930");
  EXPECT_EQ(significant_text(1.93, 3), "1.93");
  EXPECT_EQ(significant_text(85.2), "85.20");
  EXPECT_EQ(significant_text(12345.6), "12346");
  EXPECT_EQ(significant_text(-123.45), "-123.5");
  EXPECT_EQ(significant_text(0.0123456), "0.01235");
  EXPECT_EQ(significant_text(0.00001), "1.000e-05");
  EXPECT_EQ(significant_text(123456789), "123456789");
  EXPECT_EQ(significant_text(9.2622e25), "9.262e+25");
  EXPECT_EQ(significant_text(0), "0");
}

TEST(SignificantText, RoundingUpDoesNotAddADigit) {
  EXPECT_EQ(significant_text(9.9996), "10.00");
  EXPECT_EQ(significant_text(999.96), "1000");
  EXPECT_EQ(significant_text(9.9994), "9.999");
  EXPECT_EQ(significant_text(0.99996), "1.000");
}

TEST(SignificantText, SaysNothingOfWhatIsNotFinite) {
  EXPECT_EQ(significant_text(std::numeric_limits<double>::infinity()), "-");
  EXPECT_EQ(significant_text(std::numeric_limits<double>::quiet_NaN()), "-");
}

TEST(PercentText, HasOneDecimal) {
  EXPECT_EQ(percent_text(0.9634), "96.3 %");
  EXPECT_EQ(percent_text(1), "100.0 %");
  EXPECT_EQ(percent_text(-0.0001), "0.0 %");
  EXPECT_EQ(percent_text(std::numeric_limits<double>::quiet_NaN()), "-");
}

}  // namespace
}  // namespace convoy
