#include "convoy/cli/launch/interrupt.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <thread>
#include <utility>

#include "convoy/base/error.h"

namespace convoy::cli {
namespace {

constexpr std::array kSignals = {SIGINT, SIGTERM, SIGUSR1, SIGUSR2};
// The signals that the launcher sends together with a request.
constexpr std::array kDoubles = {SIGUSR1, SIGUSR2};

// Written by a handler, on the listener's thread, and read by other threads.
std::atomic<int> caught_signal = 0;
// Wakes the listener; also written by handlers.
std::atomic<int> wake_descriptor = -1;
// Whether a request may come twice, as a line and as a signal.
std::atomic<bool> has_channel = false;
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<bool>::is_always_lock_free);

void set_handlers(void (*handler)(int)) {
  for (const int signal : kSignals) (void)std::signal(signal, handler);
}

// Restores the default action of signals, except those that may belong to a request that was already heard.
void release_signals() {
  set_handlers(SIG_DFL);
  if (!has_channel) return;
  for (const int signal : kDoubles) (void)std::signal(signal, SIG_IGN);
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

void wake() {
  const std::uint64_t one = 1;
  (void)!write(wake_descriptor, &one, sizeof one);
}

void remember(int signal) {
  const int interrupted_errno = errno;
  // A second signal is no longer caught and so ends the process.
  release_signals();
  (void)std::signal(SIGHUP, SIG_IGN);
  caught_signal = signal == SIGUSR1 ? SIGINT : signal == SIGUSR2 ? SIGTERM : signal;
  wake();
  errno = interrupted_errno;
}

}  // namespace

Interrupt::Interrupt(std::optional<StopChannel> channel) : channel_(channel), ignores_hangup_(is_ignored(SIGHUP)) {
  caught_signal = 0;
  has_channel = channel_.has_value();
  wake_descriptor = eventfd(0, EFD_CLOEXEC);
  if (wake_descriptor < 0) throw SystemError(fmt::format("no way to wait for signals: {}", std::strerror(errno)));
  set_handlers(remember);
  if (!ignores_hangup_) (void)std::signal(SIGHUP, remember);
  listener_ = std::thread([this] { listen(); });
  // The listener was started before, so it is the only thread that still gets these signals.
  set_mask(SIG_BLOCK);
  say(listening_notice());
}

Interrupt::~Interrupt() {
  release_signals();
  if (!ignores_hangup_) (void)std::signal(SIGHUP, SIG_DFL);
  over_ = true;
  wake();
  listener_.join();
  set_mask(SIG_UNBLOCK);
  (void)close(wake_descriptor.exchange(-1));
}

int Interrupt::signal() { return caught_signal; }

void Interrupt::listen() {
  bool answered = false;
  while (!over_) {
    std::array<pollfd, 2> sources = {pollfd{.fd = wake_descriptor, .events = POLLIN, .revents = 0},
                                     pollfd{.fd = channel_ ? channel_->requests : -1, .events = POLLIN, .revents = 0}};
    if (poll(sources.data(), sources.size(), -1) < 0) continue;
    std::uint64_t count = 0;
    if (sources[0].revents != 0) (void)!read(wake_descriptor, &count, sizeof count);
    if (sources[1].revents != 0) take_requests();
    if (caught_signal != 0 && !std::exchange(answered, true)) say(heard_notice());
  }
}

void Interrupt::take_requests() {
  std::array<char, 256> buffer{};
  const ssize_t got = read(channel_->requests, buffer.data(), buffer.size());
  if (got < 0 && errno == EINTR) return;
  // The launcher is gone; no more requests will come.
  if (got <= 0) channel_->requests = -1;
  request_.append(buffer.data(), static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
  while (request_.find('\n') != std::string::npos) {
    const std::string line = request_.substr(0, request_.find('\n'));
    request_.erase(0, line.size() + 1);
    const std::optional<int> signal = signal_in_request(line);
    if (signal && caught_signal == 0) remember(*signal);
  }
}

// In a single write, because other threads write to stderr too.
void Interrupt::say(const std::string& notice) const {
  if (channel_ && channel_->answers >= 0) (void)!write(channel_->answers, notice.data(), notice.size());
}

}  // namespace convoy::cli
