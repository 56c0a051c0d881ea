#include "convoy/tensor/data_type.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "convoy/base/error.h"

namespace convoy {
namespace {

TEST(DataType, HasASizeAndAName) {
  EXPECT_EQ(size_of(DataType::fp32), 4U);
  EXPECT_EQ(size_of(DataType::bf16), 2U);
  EXPECT_STREQ(name_of(DataType::fp32), "fp32");
  EXPECT_STREQ(name_of(DataType::bf16), "bf16");
  EXPECT_EQ(data_type_named("fp32"), DataType::fp32);
  EXPECT_EQ(data_type_named("bf16"), DataType::bf16);
  EXPECT_THROW((void)data_type_named("fp16"), UserError);
}

TEST(BFloat16, HoldsItsOwnValuesExactly) {
  for (std::uint32_t bits = 0; bits < 0x10000U; ++bits) {
    const BFloat16 value{static_cast<std::uint16_t>(bits)};
    if (std::isnan(to_float(value))) {
      EXPECT_TRUE(std::isnan(to_float(to_bfloat16(to_float(value))))) << bits;
    } else {
      EXPECT_EQ(to_bfloat16(to_float(value)), value) << bits;
    }
  }
}

// A value goes to the nearer neighbour, or to the even one when both are equally near.
TEST(BFloat16, RoundsToTheNearest) {
  for (std::uint32_t upper = 0; upper < 0x7f80U; ++upper) {
    const double low = to_float(BFloat16{static_cast<std::uint16_t>(upper)});
    const double step = std::ldexp(1.0, std::max(static_cast<int>(upper >> 7U), 1) - 127 - 7);
    for (const std::uint32_t lower : {1U, 0x7fffU, 0x8000U, 0x8001U, 0xffffU}) {
      const auto value = std::bit_cast<float>((upper << 16U) | lower);
      const double rest = (static_cast<double>(value) - low) / step;
      const bool up = rest > 0.5 || (rest == 0.5 && upper % 2 == 1);
      EXPECT_EQ(to_bfloat16(value).bits, upper + (up ? 1 : 0)) << value;
      EXPECT_EQ(to_bfloat16(-value).bits, to_bfloat16(value).bits | 0x8000U) << value;
    }
  }
}

TEST(BFloat16, KeepsWhatIsNoNumber) {
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(to_float(to_bfloat16(infinity)), infinity);
  EXPECT_EQ(to_float(to_bfloat16(-infinity)), -infinity);
  EXPECT_EQ(to_float(to_bfloat16(std::numeric_limits<float>::max())), infinity);
  // A NaN whose set mantissa bits are all in the half that is cut off.
  EXPECT_TRUE(std::isnan(to_float(to_bfloat16(std::bit_cast<float>(0x7f800001U)))));
}

TEST(WithElement, CallsForTheType) {
  const auto size = []<typename Element>() { return sizeof(Element); };
  EXPECT_EQ(with_element(DataType::fp32, size), 4U);
  EXPECT_EQ(with_element(DataType::bf16, size), 2U);
}

}  // namespace
}  // namespace convoy
