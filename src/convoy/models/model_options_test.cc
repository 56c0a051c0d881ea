#include "convoy/models/model_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "convoy/base/error.h"

namespace convoy {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(LossNames, AreReadBack) {
  ASSERT_EQ(loss_names().size(), 2U);
  EXPECT_EQ(loss_named("cross-entropy"), Loss::cross_entropy);
  EXPECT_EQ(loss_named("mean-squared-error"), Loss::mean_squared_error);
  EXPECT_THAT([] { (void)loss_named("hinge"); },
              ThrowsMessage<UserError>(AllOf(HasSubstr("\"hinge\""), HasSubstr("cross-entropy, mean-squared-error"))));
}

TEST(InceptionFilters, AreReadByName) {
  const InceptionFilters filters = inception_filters("5x5=32,reduce3x3=48");
  EXPECT_EQ(filters.five, 32);
  EXPECT_EQ(filters.three_reduce, 48);
  EXPECT_EQ(filters.one, InceptionFilters().one);
  for (const char* const wrong : {"7x7=3", "1x1", "1x1=", "1x1=0", "1x1=3x", "1x1=-4", "=3", "1x1=99999999999"}) {
    EXPECT_THROW((void)inception_filters(wrong), UserError) << wrong;
  }
}

}  // namespace
}  // namespace convoy
