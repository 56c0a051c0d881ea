#include "convoy/cli/launch/mpirun_process.h"

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
#include <cstdio>
#include <fstream>
#include <functional>
#include <iterator>
#include <optional>
#include <utility>

#include "convoy/base/clock.h"
#include "convoy/base/error.h"
#include "convoy/base/process/child_process.h"
#include "convoy/base/process/pipe.h"
#include "convoy/cli/launch/launcher_lines.h"
#include "convoy/cli/launch/mpirun_leftovers.h"
#include "convoy/cli/terminal/terminal.h"

namespace convoy::cli {
namespace {

volatile std::sig_atomic_t first_signal = 0;
volatile std::sig_atomic_t signal_count = 0;

void remember_signal(int signal) {
  if (signal_count == 0) first_signal = signal;
  signal_count = signal_count + 1;
}

void ignore_child(int /*signal*/) {}  // its only purpose is to interrupt ppoll()

// While it lives, the signals that matter are blocked except inside ppoll(), so that none is missed between a check and
// the wait.
class SignalsInPoll {
 public:
  SignalsInPoll() {
    first_signal = 0;
    signal_count = 0;
    sigset_t ours;
    sigemptyset(&ours);
    for (std::size_t i = 0; i < kSignals.size(); ++i) {
      (void)sigaction(kSignals[i], nullptr, &before_[i]);
      // Stays ignored under nohup.
      if (kSignals[i] == SIGHUP && before_[i].sa_handler == SIG_IGN) continue;
      sigaddset(&ours, kSignals[i]);
      struct sigaction action {};
      action.sa_handler = kSignals[i] == SIGCHLD ? ignore_child : remember_signal;
      (void)sigaction(kSignals[i], &action, &before_[i]);
    }
    (void)sigprocmask(SIG_BLOCK, &ours, &outside_);
  }
  ~SignalsInPoll() {
    (void)sigprocmask(SIG_SETMASK, &outside_, nullptr);
    for (std::size_t i = 0; i < kSignals.size(); ++i) (void)sigaction(kSignals[i], &before_[i], nullptr);
  }
  SignalsInPoll(const SignalsInPoll&) = delete;
  SignalsInPoll& operator=(const SignalsInPoll&) = delete;

  [[nodiscard]] const sigset_t& outside() const { return outside_; }

 private:
  static constexpr std::array kSignals = {SIGINT, SIGTERM, SIGHUP, SIGCHLD};
  std::array<struct sigaction, kSignals.size()> before_{};
  sigset_t outside_{};
};

// While it lives, processes whose parent dies become children of this one, because ranks outlive an mpirun that is
// killed.
class Adoption {
 public:
  Adoption() { (void)prctl(PR_SET_CHILD_SUBREAPER, 1); }
  ~Adoption() { (void)prctl(PR_SET_CHILD_SUBREAPER, 0); }
  Adoption(const Adoption&) = delete;
  Adoption& operator=(const Adoption&) = delete;

  // Kills all children and their children.
  static void end_all() {
    for (std::vector<pid_t> left = children(); !left.empty(); left = children()) {
      for (const pid_t child : left) (void)kill(child, SIGKILL);
      for (const pid_t child : left) (void)waitpid(child, nullptr, 0);
    }
  }

 private:
  static std::vector<pid_t> children() {
    std::ifstream list(fmt::format("/proc/self/task/{}/children", gettid()));
    return {std::istream_iterator<pid_t>(list), std::istream_iterator<pid_t>()};
  }
};

// mpirun uses hwloc to find cores, and hwloc would also look for GPUs. Their drivers bring threads and signal handlers
// into mpirun; PoCL's catches SIGUSR1.
constexpr const char* kLeaveGpusAlone = "-opencl,-cuda,-nvml,-gl,-rsmi,-levelzero";

// Makes sure that mpirun ends once it has a reason to: decides how long to wait and which signals to send.
class Ending {
 public:
  explicit Ending(const ChildProcess& mpirun) : mpirun_(mpirun) {}

  // Called when the run has failed.
  void expect() {
    if (!next_) next_ = Clock::now() + kByItself;
  }

  // Called when the ranks were asked to stop. Ranks that do not listen yet get little time: they have no work to save.
  void expect_answer(bool listening) {
    listened_ = listening;
    answer_due_ = Clock::now() + (listening ? kToAnswer : kToBegin);
  }
  // Called when they have heard the request; they then take the time they need.
  void heard() { answer_due_.reset(); }

  // Tells mpirun to kill the ranks.
  void tell() {
    mpirun_.send(SIGTERM);
    told_ = true;
    answer_due_.reset();
    next_ = Clock::now() + kWhenTold;
  }

  // Does what is due. Returns how long to wait for the next thing, or no value if there is none.
  [[nodiscard]] std::optional<timespec> advance() {
    if (answer_due_ && Clock::now() >= *answer_due_) give_up_waiting();
    if (next_ && !killed_ && Clock::now() >= *next_) insist();
    const auto due = killed_                ? std::nullopt
                     : next_ && answer_due_ ? std::min(next_, answer_due_)
                     : next_                ? next_
                                            : answer_due_;
    if (!due) return std::nullopt;
    const auto left = std::chrono::duration_cast<std::chrono::nanoseconds>(*due - Clock::now()).count();
    constexpr std::int64_t kSecond = 1'000'000'000;
    return timespec{.tv_sec = std::max<std::int64_t>(left, 0) / kSecond,
                    .tv_nsec = std::max<std::int64_t>(left, 0) % kSecond};
  }

  // Whether mpirun was sent a signal because it was late.
  [[nodiscard]] bool was_late() const { return was_late_; }
  // Whether mpirun was told to kill the ranks.
  [[nodiscard]] bool was_told() const { return told_; }
  // Whether that was because no rank answered.
  [[nodiscard]] bool was_unanswered() const { return unanswered_; }

 private:
  // A dedicated thread answers, but on a busy machine it may have to wait.
  static constexpr std::chrono::seconds kToAnswer{10};
  // The notice that it listens may still be on its way.
  static constexpr std::chrono::seconds kToBegin{2};
  // mpirun takes a second or two to end the ranks.
  static constexpr std::chrono::seconds kByItself{5};
  static constexpr std::chrono::seconds kWhenTold{3};

  void give_up_waiting() {
    unanswered_ = listened_;
    tell();
  }

  void insist() {
    was_late_ = true;
    if (!told_) return tell();
    // The whole group, because the programs that connect mpirun with other hosts would stay otherwise.
    mpirun_.send_to_group(SIGKILL);
    mpirun_.send(SIGKILL);
    killed_ = true;
  }

  const ChildProcess& mpirun_;
  std::optional<Clock::time_point> next_;
  std::optional<Clock::time_point> answer_due_;
  bool listened_ = false;
  bool unanswered_ = false;
  bool told_ = false;
  bool killed_ = false;
  bool was_late_ = false;
};

// One of mpirun's streams, seen from this process.
class Stream {
 public:
  using Take = std::function<void(std::string_view)>;

  Stream(Pipe pipe, Take take) : pipe_(std::move(pipe)), take_(std::move(take)) {}

  [[nodiscard]] int for_child() const { return pipe_.in.get(); }

  // Called when mpirun has its end.
  void begin() {
    pipe_.in = Descriptor();
    // Set only now, on our end: the ranks' writes must block.
    (void)fcntl(pipe_.out.get(), F_SETFL, O_NONBLOCK);
  }

  [[nodiscard]] pollfd to_poll() const {
    return {.fd = is_open_ ? pipe_.out.get() : -1, .events = POLLIN, .revents = 0};
  }

  // Takes what has arrived.
  void read_on() {
    std::array<char, 4096> buffer{};
    while (is_open_) {
      const ssize_t got = read(pipe_.out.get(), buffer.data(), buffer.size());
      if (got > 0) {
        take_(std::string_view(buffer.data(), static_cast<std::size_t>(got)));
        continue;
      }
      is_open_ = got < 0 && (errno == EAGAIN || errno == EINTR);
      return;
    }
  }

 private:
  Pipe pipe_;
  Take take_;
  bool is_open_ = true;
};

// The ranks as mpirun lets us know them: what they say, and a way to ask them to stop.
class Ranks {
 public:
  // `state` changes with what they say.
  Ranks(const ChildProcess& mpirun, const Pipe& requests, const RanksState& state, Ending& ending)
      : mpirun_(mpirun), requests_(requests), state_(state), ending_(ending) {}

  void react() {
    if (state_.failed) ending_.expect();
    if (state_.heard) ending_.heard();
    pass_on_signals();
  }

 private:
  // The first signal asks the ranks to stop their work; the second makes mpirun kill them. The request waits in the
  // first rank's standard input until it listens, whereas a signal would kill ranks that do not listen yet.
  void pass_on_signals() {
    if (signal_count == handled_) return;
    handled_ = signal_count;
    if (handled_ > 1) return ending_.tell();
    const std::string request = stop_request(first_signal);
    // This process also keeps the reading end open, so there is always a reader.
    (void)!write(requests_.in.get(), request.data(), request.size());
    if (state_.listening) mpirun_.send(first_signal == SIGINT ? SIGUSR1 : SIGUSR2);
    ending_.expect_answer(state_.listening);
  }

  const ChildProcess& mpirun_;
  const Pipe& requests_;
  const RanksState& state_;
  Ending& ending_;
  int handled_ = 0;
};

// Waits until mpirun ends. Not until the pipes are closed, because a daemon of mpirun may keep them open longer.
EndOfChild follow(ChildProcess& mpirun, std::array<Stream, 2>& streams, const SignalsInPoll& signals, Ranks& ranks,
                  Ending& ending) {
  const auto read_on = [&] { std::ranges::for_each(streams, &Stream::read_on); };
  while (!mpirun.end()) {
    std::array<pollfd, 2> polled = {streams[0].to_poll(), streams[1].to_poll()};
    const std::optional<timespec> limit = ending.advance();
    (void)ppoll(polled.data(), polled.size(), limit ? &*limit : nullptr, &signals.outside());
    read_on();
    ranks.react();
  }
  read_on();
  return mpirun.wait();
}

ChildProcess start(const std::vector<std::string>& arguments, const Pipe& requests, const Stream& results,
                   const Stream& errors) {
  try {
    return ChildProcess(arguments, {.input = requests.out.get(),
                                    .output = results.for_child(),
                                    .errors = errors.for_child(),
                                    .default_variables = {{"HWLOC_COMPONENTS", kLeaveGpusAlone}}});
  } catch (const NotStarted& error) {
    if (!error.is_missing()) throw;
    throw UserError(
        "there is no {} in PATH: install Open MPI (Debian: openmpi-bin), or leave --workers and --hosts out",
        arguments.front());
  }
}

}  // namespace

EndOfMpirun run_mpirun(const std::vector<std::string>& arguments, const ReadStderr& on_stderr) {
  const MpirunPlaces places = mpirun_places();
  remove_abandoned_launches(places);
  const Pipe requests;
  RanksState state;
  // mpirun does not say when results could not be written, so they pass through this process.
  std::array streams = {
      Stream(Pipe(), [](std::string_view text) { (void)try_to_write(stdout, text); }),
      Stream(Pipe(), [&](std::string_view text) { state = on_stderr(text); }),
  };
  const LaunchMark mark(places);
  const Adoption adoption;
  const SignalsInPoll signals;
  ChildProcess mpirun = start(arguments, requests, streams[0], streams[1]);
  mark.belongs_to(mpirun.id());
  std::ranges::for_each(streams, &Stream::begin);
  Ending ending(mpirun);
  Ranks ranks(mpirun, requests, state, ending);
  const EndOfChild end = follow(mpirun, streams, signals, ranks, ending);
  if (end.killed_by != 0) {
    Adoption::end_all();
    remove_leftovers(mpirun.id(), places);
  }
  return {.exit_code = end.exit_code,
          .killed_by = end.killed_by,
          .forwarded_signal = first_signal,
          .told_to_end = ending.was_told(),
          .unanswered = ending.was_unanswered(),
          .lingered = ending.was_late()};
}

}  // namespace convoy::cli
