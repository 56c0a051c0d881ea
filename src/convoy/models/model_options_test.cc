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

}  // namespace
}  // namespace convoy
