#include "convoy/tensor/shape.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "convoy/base/error.h"

namespace convoy {
namespace {

TEST(Shape, ParsesWhatItPrints) {
  for (const char* text : {"3x224x224", "1000", "1x1x1", "9223372036854775807"}) {
    EXPECT_EQ(Shape::parse(text).to_string(), text);
  }
  EXPECT_EQ(Shape::parse("3x32x16"), (Shape{3, 32, 16}));
}

TEST(Shape, CountsElements) {
  EXPECT_EQ((Shape{3, 224, 225}).count(), 151200);
  EXPECT_EQ(Shape().count(), 1);
  EXPECT_EQ((Shape{65536, 65536}).count(), std::int64_t{1} << 32);
}

TEST(Shape, ScalarHasAName) { EXPECT_EQ(Shape().to_string(), "scalar"); }

TEST(Shape, RefusesMalformedText) {
  for (const char* text : {"", "x", "3x", "x3", "3xx4", "0x3", "-1x3", "3x224x2a", "3 x4", "3X4", "+3", "1e3",
                           "99999999999999999999", "4294967296x4294967296"}) {
    EXPECT_THROW((void)Shape::parse(text), UserError) << "'" << text << "'";
  }
}

TEST(Shape, MessageNamesTheTextAndThePart) {
  try {
    (void)Shape::parse("3x22y4x224");
    FAIL() << "accepted";
  } catch (const UserError& error) {
    EXPECT_THAT(error.what(), testing::AllOf(testing::HasSubstr("'3x22y4x224'"), testing::HasSubstr("'22y4'")));
  }
}

}  // namespace
}  // namespace convoy
