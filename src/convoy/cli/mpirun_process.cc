#include "convoy/cli/mpirun_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <optional>

#include "convoy/base/clock.h"
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
      (void)sigaction(kSignals[i], nullptr, &before_[i]);
      // As nohup has it.
      if (kSignals[i] == SIGHUP && before_[i].sa_handler == SIG_IGN) continue;
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

// Sees to it that mpirun ends once it has a reason to: how long it is given, and what it is sent then.
class Ending {
 public:
  explicit Ending(pid_t child) : child_(child) {}

  // The run has failed.
  void expect() {
    if (!next_) next_ = Clock::now() + kByItself;
  }

  // Has it kill the ranks.
  void tell() {
    (void)kill(child_, SIGTERM);
    told_ = true;
    next_ = Clock::now() + kWhenTold;
  }

  // Does what is due. Null when nothing will be, or for how long to wait.
  [[nodiscard]] std::optional<timespec> advance() {
    if (!next_ || killed_) return std::nullopt;
    if (Clock::now() >= *next_) insist();
    if (killed_) return std::nullopt;
    const auto left = std::chrono::duration_cast<std::chrono::nanoseconds>(*next_ - Clock::now()).count();
    constexpr std::int64_t kSecond = 1'000'000'000;
    return timespec{.tv_sec = std::max<std::int64_t>(left, 0) / kSecond,
                    .tv_nsec = std::max<std::int64_t>(left, 0) % kSecond};
  }

  // Whether it was sent anything for being late.
  [[nodiscard]] bool was_late() const { return was_late_; }

 private:
  // It takes a second or two to end the ranks.
  static constexpr std::chrono::seconds kByItself{5};
  static constexpr std::chrono::seconds kWhenTold{3};

  void insist() {
    was_late_ = true;
    if (!told_) return tell();
    // With its group: the programs that connect it with other hosts would stay.
    (void)kill(-child_, SIGKILL);
    (void)kill(child_, SIGKILL);
    killed_ = true;
  }

  pid_t child_;
  std::optional<Clock::time_point> next_;
  bool told_ = false;
  bool killed_ = false;
  bool was_late_ = false;
};

// The first signal asks the ranks to put their work down, the next has mpirun kill them.
void forward_new_signals(pid_t child, int& handled, Ending& ending) {
  if (signal_count == handled) return;
  handled = signal_count;
  if (handled > 1) return ending.tell();
  (void)kill(child, last_signal == SIGINT ? SIGUSR1 : SIGUSR2);
}

// Whether there is more to come.
bool drain(int pipe, const ReadStderr& on_stderr, Ending& ending) {
  std::array<char, 4096> buffer{};
  while (true) {
    const ssize_t got = read(pipe, buffer.data(), buffer.size());
    if (got == 0) return false;
    if (got < 0) return errno == EAGAIN || errno == EINTR;
    if (on_stderr(std::string_view(buffer.data(), static_cast<std::size_t>(got)))) ending.expect();
  }
}

// The child's status. Not the end of the pipe: a daemon of mpirun may hold it open longer.
int follow(pid_t child, int pipe, const SignalsInPoll& signals, const ReadStderr& on_stderr, Ending& ending) {
  int handled = 0;
  int status = 0;
  bool open = true;
  while (waitpid(child, &status, WNOHANG) == 0) {
    pollfd poll_pipe{.fd = open ? pipe : -1, .events = POLLIN, .revents = 0};
    const std::optional<timespec> limit = ending.advance();
    (void)ppoll(&poll_pipe, 1, limit ? &*limit : nullptr, &signals.outside());
    forward_new_signals(child, handled, ending);
    if (open) open = drain(pipe, on_stderr, ending);
  }
  if (open) (void)drain(pipe, on_stderr, ending);
  return status;
}

int exit_code_of(int status) { return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status); }

}  // namespace

EndOfMpirun run_mpirun(const std::vector<std::string>& arguments, const ReadStderr& on_stderr) {
  std::array<int, 2> pipe_ends{};
  if (pipe2(pipe_ends.data(), O_CLOEXEC) != 0) throw SystemError(fmt::format("no pipe: {}", std::strerror(errno)));
  const SignalsInPoll signals;
  const pid_t child = fork();
  if (child < 0) throw SystemError(fmt::format("mpirun cannot be started: {}", std::strerror(errno)));
  if (child == 0) become(arguments, pipe_ends[1], signals);
  (void)close(pipe_ends[1]);
  // Only now: the ranks' own end must block.
  (void)fcntl(pipe_ends[0], F_SETFL, O_NONBLOCK);
  Ending ending(child);
  const int status = follow(child, pipe_ends[0], signals, on_stderr, ending);
  (void)close(pipe_ends[0]);
  const int code = exit_code_of(status);
  if (code == kNoSuchProgram) {
    throw UserError(
        "there is no {} in PATH: install Open MPI (Debian: openmpi-bin), or leave --workers and --hosts out",
        arguments.front());
  }
  const int asked = signal_count == 0 ? 0 : last_signal;
  return {.exit_code = code, .forwarded_signal = asked, .insisted = signal_count > 1, .lingered = ending.was_late()};
}

}  // namespace convoy::cli
