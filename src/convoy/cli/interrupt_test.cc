#include "convoy/cli/interrupt.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <thread>

namespace convoy::cli {
namespace {

// To the process, as from outside: some thread gets it, now or soon.
void send(int signal) { ASSERT_EQ(kill(getpid(), signal), 0); }

void send_and_await(int signal) {
  send(signal);
  while (Interrupt::signal() == 0) std::this_thread::yield();
}

[[noreturn]] void send_and_wait_for_the_end(int signal) {
  send(signal);
  for (;;) std::this_thread::yield();
}

class InterruptTest : public testing::TestWithParam<int> {};

TEST_P(InterruptTest, IsRemembered) {
  const Interrupt interrupt;
  EXPECT_EQ(Interrupt::signal(), 0);
  send_and_await(GetParam());
  EXPECT_EQ(Interrupt::signal(), GetParam());
}

TEST_P(InterruptTest, ANewOneForgetsTheOld) {
  {
    const Interrupt interrupt;
    send_and_await(GetParam());
  }
  const Interrupt interrupt;
  EXPECT_EQ(Interrupt::signal(), 0);
  send_and_await(GetParam());
  EXPECT_EQ(Interrupt::signal(), GetParam()) << "it is caught again";
}

TEST(Interrupt, UserSignalsStandForTheOthers) {
  {
    const Interrupt interrupt;
    send_and_await(SIGUSR1);
    EXPECT_EQ(Interrupt::signal(), SIGINT);
  }
  const Interrupt interrupt;
  send_and_await(SIGUSR2);
  EXPECT_EQ(Interrupt::signal(), SIGTERM);
}

using InterruptDeathTest = InterruptTest;

TEST_P(InterruptDeathTest, TheSecondEndsTheProcess) {
  EXPECT_EXIT(
      {
        const Interrupt interrupt;
        send_and_await(GetParam());
        send_and_wait_for_the_end(SIGINT);
      },
      testing::KilledBySignal(SIGINT), "");
}

TEST_P(InterruptDeathTest, AfterItsLifeSignalsEndTheProcess) {
  EXPECT_EXIT(
      {
        { const Interrupt interrupt; }
        send_and_wait_for_the_end(GetParam());
      },
      testing::KilledBySignal(GetParam()), "");
}

// A terminal that is closed sends one, and the shell in it another.
TEST_P(InterruptDeathTest, HangUpsAfterTheFirstSignalDoNot) {
  EXPECT_EXIT(
      {
        const Interrupt interrupt;
        send_and_await(GetParam());
        send(SIGHUP);
        send_and_wait_for_the_end(SIGTERM);
      },
      testing::KilledBySignal(SIGTERM), "");
}

TEST(Interrupt, HangUpThatIsIgnoredStaysIgnored) {
  (void)std::signal(SIGHUP, SIG_IGN);
  {
    const Interrupt interrupt;
    send(SIGHUP);
    send_and_await(SIGTERM);
    EXPECT_EQ(Interrupt::signal(), SIGTERM);
  }
  send(SIGHUP);
  EXPECT_EQ(std::signal(SIGHUP, SIG_DFL), SIG_IGN);
}

// Generated code keeps values where a handler's frame would be.
TEST(Interrupt, ThreadsThatComputeDoNotGetTheSignals) {
  const Interrupt interrupt;
  const auto blocked = [] {
    sigset_t mask;
    (void)pthread_sigmask(SIG_BLOCK, nullptr, &mask);
    return sigismember(&mask, SIGINT) == 1 && sigismember(&mask, SIGTERM) == 1 && sigismember(&mask, SIGUSR1) == 1 &&
           sigismember(&mask, SIGHUP) == 1;
  };
  EXPECT_TRUE(blocked());
  bool in_thread = false;
  std::thread([&] { in_thread = blocked(); }).join();
  EXPECT_TRUE(in_thread);
}

INSTANTIATE_TEST_SUITE_P(Signals, InterruptTest, testing::Values(SIGINT, SIGTERM, SIGHUP));
INSTANTIATE_TEST_SUITE_P(Signals, InterruptDeathTest, testing::Values(SIGINT, SIGTERM, SIGHUP));

}  // namespace
}  // namespace convoy::cli
