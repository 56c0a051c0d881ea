#include "convoy/optim/optimizer_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "convoy/base/error.h"
#include "convoy/base/odd_numbers_test.h"

namespace convoy {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(OptimizerNames, AreKnown) {
  EXPECT_EQ(optimizer_named("sgd"), OptimizerKind::sgd);
  EXPECT_EQ(optimizer_named("momentum"), OptimizerKind::momentum);
  EXPECT_EQ(optimizer_named("nesterov"), OptimizerKind::nesterov);
  EXPECT_EQ(optimizer_named("adam"), OptimizerKind::adam);
  EXPECT_EQ(optimizer_named("adamw"), OptimizerKind::adamw);
  EXPECT_EQ(optimizer_named("adadelta"), OptimizerKind::adadelta);
  EXPECT_EQ(optimizer_names().size(), 8U);
}

TEST(OptimizerNames, AMisspeltOneGetsASuggestionAndAllGetTheList) {
  EXPECT_THAT(
      [] { (void)optimizer_named("nestrov"); },
      ThrowsMessage<UserError>(testing::AllOf(HasSubstr("\"nestrov\""), HasSubstr("did you mean \"nesterov\"?"))));
  EXPECT_THAT([] { (void)optimizer_named("lamb-of-1900"); },
              ThrowsMessage<UserError>(HasSubstr("sgd, momentum, nesterov, adam, adamw, adadelta, lars, lamb")));
}

TEST(OptimizerOptions, DefaultsAreAllowedForEveryKind) {
  for (const std::string& name : optimizer_names()) {
    EXPECT_NO_THROW(check_options({.kind = optimizer_named(name)})) << name;
  }
}

TEST(OptimizerOptions, SharesAreFromZeroToBelowOne) {
  using Member = double OptimizerOptions::*;
  const std::vector<std::pair<std::string, Member>> shares = {{"momentum", &OptimizerOptions::momentum},
                                                              {"beta1", &OptimizerOptions::beta1},
                                                              {"beta2", &OptimizerOptions::beta2},
                                                              {"rho", &OptimizerOptions::rho}};
  for (const auto& [name, member] : shares) {
    OptimizerOptions options;
    for (const double good : {0.0, 0.5, 0.9999}) {
      options.*member = good;
      EXPECT_NO_THROW(check_options(options)) << name << " " << good;
    }
    for (const double bad : {-0.1, 1.0, 1.5, kNan, kInfinity}) {
      options.*member = bad;
      EXPECT_THAT([&] { check_options(options); },
                  ThrowsMessage<UserError>(HasSubstr(name + " must be at least 0 and less than 1")))
          << bad;
    }
  }
}

TEST(OptimizerOptions, EpsilonIsPositive) {
  for (const double bad : {0.0, -1e-8, 1e-60, 2.0, kNan, kInfinity}) {
    EXPECT_THAT([&] { check_options({.kind = OptimizerKind::adam, .epsilon = bad}); },
                ThrowsMessage<UserError>(HasSubstr("epsilon must be greater than 0")))
        << bad;
  }
  EXPECT_NO_THROW(check_options({.kind = OptimizerKind::adam, .epsilon = 1.0}));
}

TEST(OptimizerOptions, WeightDecayIsNotNegative) {
  for (const double bad : {-1e-4, kNan, kInfinity}) {
    EXPECT_THAT([&] { check_options({.weight_decay = bad}); },
                ThrowsMessage<UserError>(HasSubstr("weight decay must be at least 0")))
        << bad;
  }
}

}  // namespace
}  // namespace convoy
