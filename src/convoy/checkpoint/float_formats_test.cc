#include "convoy/checkpoint/float_formats.h"

#include <gtest/gtest.h>

#include <cmath>

namespace convoy {
namespace {

// By the formula of the standard, in double precision.
double half_by_formula(unsigned bits) {
  const double sign = (bits & 0x8000U) != 0 ? -1 : 1;
  const int exponent = static_cast<int>(bits >> 10U) & 31;
  const int mantissa = static_cast<int>(bits) & 1023;
  if (exponent == 31) return mantissa == 0 ? sign * INFINITY : NAN;
  if (exponent == 0) return sign * std::ldexp(mantissa, -24);
  return sign * std::ldexp(1024 + mantissa, exponent - 25);
}

TEST(FloatFormats, EveryHalf) {
  for (unsigned bits = 0; bits < 65536; ++bits) {
    const double expected = half_by_formula(bits);
    const float value = float_of_half(static_cast<std::uint16_t>(bits));
    if (std::isnan(expected)) {
      ASSERT_TRUE(std::isnan(value)) << bits;
    } else {
      ASSERT_EQ(value, expected) << bits;
      ASSERT_EQ(std::signbit(value), std::signbit(expected)) << bits;
    }
  }
}

TEST(FloatFormats, Bfloat16) {
  EXPECT_EQ(float_of_bfloat16(0x3F80), 1.0F);
  EXPECT_EQ(float_of_bfloat16(0xC049), -3.140625F);
  EXPECT_EQ(float_of_bfloat16(0x0001), 0x1p-133F);
  EXPECT_TRUE(std::isinf(float_of_bfloat16(0x7F80)));
  EXPECT_TRUE(std::isnan(float_of_bfloat16(0x7FC0)));
}

}  // namespace
}  // namespace convoy
