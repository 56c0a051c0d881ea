#include "convoy/cli/interrupt.h"

#include <csignal>

namespace convoy::cli {
namespace {

volatile std::sig_atomic_t caught_signal = 0;

void remember(int signal) {
  caught_signal = signal;
  // The next one is not caught any more.
  (void)std::signal(SIGINT, SIG_DFL);
  (void)std::signal(SIGTERM, SIG_DFL);
}

}  // namespace

Interrupt::Interrupt() {
  caught_signal = 0;
  (void)std::signal(SIGINT, remember);
  (void)std::signal(SIGTERM, remember);
}

Interrupt::~Interrupt() {
  (void)std::signal(SIGINT, SIG_DFL);
  (void)std::signal(SIGTERM, SIG_DFL);
}

int Interrupt::signal() { return caught_signal; }

}  // namespace convoy::cli
