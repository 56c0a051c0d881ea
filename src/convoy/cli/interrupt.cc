#include "convoy/cli/interrupt.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <thread>

namespace convoy::cli {
namespace {

constexpr std::array kSignals = {SIGINT, SIGTERM, SIGUSR1, SIGUSR2};

// Written in a handler, on the listener's thread, and read by others.
std::atomic<int> caught_signal = 0;
static_assert(std::atomic<int>::is_always_lock_free);

void set_handlers(void (*handler)(int)) {
  for (const int signal : kSignals) (void)std::signal(signal, handler);
}

bool is_ignored(int signal) {
  struct sigaction action {};
  return sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

void set_mask(int how) {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGHUP);
  for (const int signal : kSignals) sigaddset(&signals, signal);
  (void)pthread_sigmask(how, &signals, nullptr);
}

void remember(int signal) {
  const int interrupted_errno = errno;
  // The next one is not caught any more.
  set_handlers(SIG_DFL);
  (void)std::signal(SIGHUP, SIG_IGN);
  caught_signal = signal == SIGUSR1 ? SIGINT : signal == SIGUSR2 ? SIGTERM : signal;
  errno = interrupted_errno;
}

}  // namespace

Interrupt::Interrupt() : ignores_hangup_(is_ignored(SIGHUP)) {
  caught_signal = 0;
  set_handlers(remember);
  if (!ignores_hangup_) (void)std::signal(SIGHUP, remember);
  listener_ = std::thread([this] { over_.acquire(); });
  // The listener was started before, and is the one that still gets them.
  set_mask(SIG_BLOCK);
}

Interrupt::~Interrupt() {
  set_handlers(SIG_DFL);
  if (!ignores_hangup_) (void)std::signal(SIGHUP, SIG_DFL);
  over_.release();
  listener_.join();
  set_mask(SIG_UNBLOCK);
}

int Interrupt::signal() { return caught_signal; }

}  // namespace convoy::cli
