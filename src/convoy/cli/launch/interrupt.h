// Turns Ctrl-C and kill into a flag that is read between steps, so that work can be stopped safely.
#pragma once

#include <atomic>
#include <optional>
#include <thread>

#include "convoy/cli/launch/launcher_lines.h"

namespace convoy::cli {

// Catches SIGINT and SIGTERM while it lives, and SIGUSR1 and SIGUSR2, which mean the same: mpirun passes those on to
// its ranks and lets them finish, and batch systems send them before time is up. A second signal ends the process at
// once.
//
// A rank that convoy started also listens to its launcher's requests (launcher_lines.h). A request comes together with
// a SIGUSR1 or SIGUSR2, before or after it, so these count only once: a second SIGUSR1 does not end the process.
//
// SIGHUP, the end of the terminal, is caught as well, unless it is ignored (nohup). It may come again at any time,
// because the system and the shell both send it. So it never ends the process at once.
//
// No handler runs on a thread that computes: code that oneDNN generates keeps values below the stack pointer, beyond
// the red zone, and a handler's frame would overwrite them. So this object must be created before anything is computed:
// the creating thread, and threads that it starts later, do not get these signals; a separate thread does.
class Interrupt {
 public:
  explicit Interrupt(std::optional<StopChannel> channel = std::nullopt);
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  // The signal that came, SIGINT, SIGTERM or SIGHUP, or the one that a request named; otherwise 0.
  [[nodiscard]] static int signal();

 private:
  void listen();
  void take_requests();
  void say(const std::string& notice) const;

  std::optional<StopChannel> channel_;
  bool ignores_hangup_;
  std::string request_;  // the part of a request that has arrived so far
  std::atomic<bool> over_ = false;
  std::thread listener_;
};

// Thrown by a command that a signal ended, after it has stopped its work safely: the exit code is 128 + signal.
struct Interrupted {
  int signal = 0;
};

}  // namespace convoy::cli
