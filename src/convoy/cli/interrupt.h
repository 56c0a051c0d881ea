// Ctrl-C and kill as a question to ask between steps, so that work can be put down safely.
#pragma once

#include <semaphore>
#include <thread>

namespace convoy::cli {

// Catches SIGINT and SIGTERM while it lives, and SIGUSR1 and SIGUSR2, which mean the same: mpirun passes those on to
// its ranks and lets them finish, batch systems send them before time is up. A second signal ends the process at once,
// as without it.
//
// SIGHUP, the end of the terminal, is caught as well, unless it is ignored (nohup). It may come again at any time: the
// system and the shell both send it. So it never ends the process at once.
//
// No handler runs on a thread that computes: code that oneDNN generates keeps values below the stack pointer, farther
// than the red zone reaches, and a handler's frame would overwrite them. So make it before anything is computed: this
// thread and those it starts while it lives do not get these signals, a thread of its own does.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  // The signal that came, SIGINT, SIGTERM or SIGHUP, or 0.
  [[nodiscard]] static int signal();

 private:
  bool ignores_hangup_;
  std::binary_semaphore over_{0};
  std::thread listener_;
};

// Thrown by a command that a signal ended, after it has put its work down: the exit code is 128 + signal.
struct Interrupted {
  int signal = 0;
};

}  // namespace convoy::cli
