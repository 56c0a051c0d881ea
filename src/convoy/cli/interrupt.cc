#include "convoy/cli/interrupt.h"

#include <array>
#include <csignal>

namespace convoy::cli {
namespace {

constexpr std::array kSignals = {SIGINT, SIGTERM, SIGUSR1, SIGUSR2};

volatile std::sig_atomic_t caught_signal = 0;

void set_handlers(void (*handler)(int)) {
  for (const int signal : kSignals) (void)std::signal(signal, handler);
}

void remember(int signal) {
  caught_signal = signal == SIGUSR1 ? SIGINT : signal == SIGUSR2 ? SIGTERM : signal;
  // The next one is not caught any more.
  set_handlers(SIG_DFL);
}

}  // namespace

Interrupt::Interrupt() {
  caught_signal = 0;
  set_handlers(remember);
}

Interrupt::~Interrupt() { set_handlers(SIG_DFL); }

int Interrupt::signal() { return caught_signal; }

}  // namespace convoy::cli
