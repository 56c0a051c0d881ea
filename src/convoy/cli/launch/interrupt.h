// Ctrl-C and kill as a question to ask between steps, so that work can be put down safely.
#pragma once

#include <atomic>
#include <optional>
#include <thread>

#include "convoy/cli/launch/launcher_lines.h"

namespace convoy::cli {

// Catches SIGINT and SIGTERM while it lives, and SIGUSR1 and SIGUSR2, which mean the same: mpirun passes those on to
// its ranks and lets them finish, batch systems send them before time is up. A second signal ends the process at once,
// as without it.
//
// A rank that convoy started also listens to its launcher's requests (launcher_lines.h). They come with a SIGUSR1 or
// SIGUSR2 beside them, before or after, so those count once only: a second SIGUSR1 is not taken for insisting.
//
// SIGHUP, the end of the terminal, is caught as well, unless it is ignored (nohup). It may come again at any time: the
// system and the shell both send it. So it never ends the process at once.
//
// No handler runs on a thread that computes: code that oneDNN generates keeps values below the stack pointer, farther
// than the red zone reaches, and a handler's frame would overwrite them. So make it before anything is computed: this
// thread and those it starts while it lives do not get these signals, a thread of its own does.
class Interrupt {
 public:
  explicit Interrupt(std::optional<StopChannel> channel = std::nullopt);
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  // The signal that came, SIGINT, SIGTERM or SIGHUP, or the one that a request named, or 0.
  [[nodiscard]] static int signal();

 private:
  void listen();
  void take_requests();
  void say(const std::string& notice) const;

  std::optional<StopChannel> channel_;
  bool ignores_hangup_;
  std::string request_;  // as far as it has come
  std::atomic<bool> over_ = false;
  std::thread listener_;
};

// Thrown by a command that a signal ended, after it has put its work down: the exit code is 128 + signal.
struct Interrupted {
  int signal = 0;
};

}  // namespace convoy::cli
