#include "convoy/cli/launch/interrupt.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <string>
#include <thread>
#include <utility>

#include "convoy/cli/launch/launcher_lines.h"

namespace convoy::cli {
namespace {

// Sends the signal to the whole process, as from outside: some thread gets it soon.
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

// The launcher's side: a rank is asked to stop.
class LaunchedInterrupt : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(pipe(requests_.data()), 0);
    ASSERT_EQ(pipe(answers_.data()), 0);
  }
  void TearDown() override {
    for (const int end : {requests_[0], requests_[1], answers_[0], answers_[1]}) (void)close(end);
  }

  [[nodiscard]] StopChannel channel() const { return {.requests = requests_[0], .answers = answers_[1]}; }
  void request(const std::string& text) const {
    ASSERT_EQ(write(requests_[1], text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }
  // The next line that the rank writes.
  [[nodiscard]] std::string answer() const {
    std::string line;
    for (char c = 0; c != '\n' && read(answers_[0], &c, 1) == 1;) line += c;
    return line;
  }

  std::array<int, 2> requests_{};
  std::array<int, 2> answers_{};
};

TEST_F(LaunchedInterrupt, ARequestIsHeardAndAnswered) {
  const Interrupt interrupt(channel());
  EXPECT_EQ(answer(), listening_notice());
  request(stop_request(SIGHUP));
  EXPECT_EQ(answer(), heard_notice());
  EXPECT_EQ(Interrupt::signal(), SIGHUP);
}

TEST_F(LaunchedInterrupt, ARequestMayComeInPiecesAndAmongOtherWords) {
  const Interrupt interrupt(channel());
  EXPECT_EQ(answer(), listening_notice());
  const std::string text = "stop it\n" + stop_request(SIGTERM);
  request(text.substr(0, 12));
  request(text.substr(12));
  EXPECT_EQ(answer(), heard_notice());
  EXPECT_EQ(Interrupt::signal(), SIGTERM);
}

TEST_F(LaunchedInterrupt, ASignalAloneIsAnsweredToo) {
  const Interrupt interrupt(channel());
  EXPECT_EQ(answer(), listening_notice());
  send(SIGUSR1);
  EXPECT_EQ(answer(), heard_notice());
  EXPECT_EQ(Interrupt::signal(), SIGINT);
}

TEST_F(LaunchedInterrupt, ALauncherThatIsGoneAsksForNothing) {
  (void)close(std::exchange(requests_[1], -1));
  const Interrupt interrupt(channel());
  EXPECT_EQ(answer(), listening_notice());
  EXPECT_EQ(Interrupt::signal(), 0);
  send_and_await(SIGTERM);
  EXPECT_EQ(Interrupt::signal(), SIGTERM);
}

// The signal that belongs to a request comes before it, after it, or when the work has been stopped already.
TEST_F(LaunchedInterrupt, TheSignalBesideARequestDoesNotEndTheProcess) {
  EXPECT_EXIT(
      {
        {
          const Interrupt interrupt(channel());
          request(stop_request(SIGINT));
          while (Interrupt::signal() == 0) std::this_thread::yield();
          (void)raise(SIGUSR1);
          send(SIGUSR1);
        }
        send(SIGUSR1);
        (void)raise(SIGUSR2);
        _exit(Interrupt::signal());
      },
      testing::ExitedWithCode(SIGINT), "");
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

// When a terminal is closed, the system sends one and its shell another.
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
