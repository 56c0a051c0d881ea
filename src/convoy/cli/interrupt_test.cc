#include "convoy/cli/interrupt.h"

#include <gtest/gtest.h>

#include <csignal>

namespace convoy::cli {
namespace {

class InterruptTest : public testing::TestWithParam<int> {};

TEST_P(InterruptTest, IsRemembered) {
  const Interrupt interrupt;
  EXPECT_EQ(Interrupt::signal(), 0);
  ASSERT_EQ(std::raise(GetParam()), 0);
  EXPECT_EQ(Interrupt::signal(), GetParam());
}

TEST_P(InterruptTest, ANewOneForgetsTheOld) {
  {
    const Interrupt interrupt;
    ASSERT_EQ(std::raise(GetParam()), 0);
  }
  const Interrupt interrupt;
  EXPECT_EQ(Interrupt::signal(), 0);
  ASSERT_EQ(std::raise(GetParam()), 0);
  EXPECT_EQ(Interrupt::signal(), GetParam()) << "it is caught again";
}

TEST(Interrupt, UserSignalsStandForTheOthers) {
  {
    const Interrupt interrupt;
    ASSERT_EQ(std::raise(SIGUSR1), 0);
    EXPECT_EQ(Interrupt::signal(), SIGINT);
  }
  const Interrupt interrupt;
  ASSERT_EQ(std::raise(SIGUSR2), 0);
  EXPECT_EQ(Interrupt::signal(), SIGTERM);
}

using InterruptDeathTest = InterruptTest;

TEST_P(InterruptDeathTest, TheSecondEndsTheProcess) {
  EXPECT_EXIT(
      {
        const Interrupt interrupt;
        (void)std::raise(GetParam());
        (void)std::raise(GetParam());
      },
      testing::KilledBySignal(GetParam()), "");
}

TEST_P(InterruptDeathTest, AfterItsLifeSignalsEndTheProcess) {
  EXPECT_EXIT(
      {
        { const Interrupt interrupt; }
        (void)std::raise(GetParam());
      },
      testing::KilledBySignal(GetParam()), "");
}

INSTANTIATE_TEST_SUITE_P(Signals, InterruptTest, testing::Values(SIGINT, SIGTERM));
INSTANTIATE_TEST_SUITE_P(Signals, InterruptDeathTest, testing::Values(SIGINT, SIGTERM));

}  // namespace
}  // namespace convoy::cli
