#include "convoy/cli/mpirun_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <optional>

#include "convoy/base/error.h"

namespace convoy::cli {
namespace {

volatile std::sig_atomic_t last_signal = 0;
volatile std::sig_atomic_t signal_count = 0;

void remember(int signal) {
  last_signal = signal;
  signal_count = signal_count + 1;
}

void ignore_child(int /*signal*/) {}  // it is there to end ppoll()

// While it lives, the signals that matter are blocked but inside ppoll(), so that none is missed between a look and the
// wait.
class SignalsInPoll {
 public:
  SignalsInPoll() {
    last_signal = 0;
    signal_count = 0;
    sigset_t ours;
    sigemptyset(&ours);
    for (std::size_t i = 0; i < kSignals.size(); ++i) {
      sigaddset(&ours, kSignals[i]);
      struct sigaction action {};
      action.sa_handler = kSignals[i] == SIGCHLD ? ignore_child : remember;
      (void)sigaction(kSignals[i], &action, &before_[i]);
    }
    (void)sigprocmask(SIG_BLOCK, &ours, &outside_);
  }
  ~SignalsInPoll() {
    restore_mask();
    for (std::size_t i = 0; i < kSignals.size(); ++i) (void)sigaction(kSignals[i], &before_[i], nullptr);
  }
  SignalsInPoll(const SignalsInPoll&) = delete;
  SignalsInPoll& operator=(const SignalsInPoll&) = delete;

  [[nodiscard]] const sigset_t& outside() const { return outside_; }
  void restore_mask() const { (void)sigprocmask(SIG_SETMASK, &outside_, nullptr); }

 private:
  static constexpr std::array kSignals = {SIGINT, SIGTERM, SIGHUP, SIGCHLD};
  std::array<struct sigaction, kSignals.size()> before_{};
  sigset_t outside_{};
};

constexpr int kNoSuchProgram = 127;

[[noreturn]] void become(const std::vector<std::string>& arguments, int stderr_pipe, const SignalsInPoll& signals) {
  // A group of its own: Ctrl-C on a terminal is for this process alone.
  (void)setpgid(0, 0);
  (void)prctl(PR_SET_PDEATHSIG, SIGTERM);
  signals.restore_mask();
  const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
  (void)dup2(nothing, STDIN_FILENO);
  (void)dup2(stderr_pipe, STDERR_FILENO);
  std::vector<char*> words;
  for (const std::string& argument : arguments) words.push_back(const_cast<char*>(argument.c_str()));
  words.push_back(nullptr);
  (void)execvp(words.front(), words.data());
  _exit(kNoSuchProgram);
}

// The first signal asks the ranks to put their work down, the next has mpirun kill them.
void forward_new_signals(pid_t child, int& handled) {
  if (signal_count == handled) return;
  handled = signal_count;
  const int orderly = last_signal == SIGINT ? SIGUSR1 : SIGUSR2;
  (void)kill(child, handled == 1 ? orderly : SIGTERM);
}

// Whether there is more to come.
bool drain(int pipe, const std::function<void(std::string_view)>& on_stderr) {
  std::array<char, 4096> buffer{};
  while (true) {
    const ssize_t got = read(pipe, buffer.data(), buffer.size());
    if (got == 0) return false;
    if (got < 0) return errno == EAGAIN || errno == EINTR;
    on_stderr(std::string_view(buffer.data(), static_cast<std::size_t>(got)));
  }
}

// The child's status. Not the end of the pipe: a daemon of mpirun may hold it open longer.
int follow(pid_t child, int pipe, const SignalsInPoll& signals,
           const std::function<void(std::string_view)>& on_stderr) {
  int handled = 0;
  int status = 0;
  bool open = true;
  while (waitpid(child, &status, WNOHANG) == 0) {
    pollfd poll_pipe{.fd = open ? pipe : -1, .events = POLLIN, .revents = 0};
    (void)ppoll(&poll_pipe, 1, nullptr, &signals.outside());
    forward_new_signals(child, handled);
    if (open) open = drain(pipe, on_stderr);
  }
  if (open) (void)drain(pipe, on_stderr);
  return status;
}

int exit_code_of(int status) { return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status); }

}  // namespace

EndOfMpirun run_mpirun(const std::vector<std::string>& arguments,
                       const std::function<void(std::string_view)>& on_stderr) {
  std::array<int, 2> pipe_ends{};
  if (pipe2(pipe_ends.data(), O_CLOEXEC) != 0) throw SystemError(fmt::format("no pipe: {}", std::strerror(errno)));
  const SignalsInPoll signals;
  const pid_t child = fork();
  if (child < 0) throw SystemError(fmt::format("mpirun cannot be started: {}", std::strerror(errno)));
  if (child == 0) become(arguments, pipe_ends[1], signals);
  (void)close(pipe_ends[1]);
  // Only now: the ranks' own end must block.
  (void)fcntl(pipe_ends[0], F_SETFL, O_NONBLOCK);
  const int status = follow(child, pipe_ends[0], signals, on_stderr);
  (void)close(pipe_ends[0]);
  const int code = exit_code_of(status);
  if (code == kNoSuchProgram) {
    throw UserError(
        "there is no {} in PATH: install Open MPI (Debian: openmpi-bin), or leave --workers and --hosts out",
        arguments.front());
  }
  const int asked = signal_count == 0 ? 0 : last_signal == SIGINT ? SIGINT : SIGTERM;
  return {.exit_code = code, .forwarded_signal = asked, .insisted = signal_count > 1};
}

}  // namespace convoy::cli
