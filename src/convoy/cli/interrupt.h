// Ctrl-C and kill as a question to ask between steps, so that work can be put down safely.
#pragma once

namespace convoy::cli {

// Catches SIGINT and SIGTERM while it lives, and SIGUSR1 and SIGUSR2, which mean the same: mpirun passes those on to
// its ranks and lets them finish, batch systems send them before time is up. A second signal ends the process at once,
// as without it.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  // The signal that came, SIGINT or SIGTERM, or 0.
  [[nodiscard]] static int signal();
};

// Thrown by a command that a signal ended, after it has put its work down: the exit code is 128 + signal.
struct Interrupted {
  int signal = 0;
};

}  // namespace convoy::cli
