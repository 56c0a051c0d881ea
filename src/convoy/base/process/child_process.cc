#include "convoy/base/process/child_process.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <set>

#include "convoy/base/file/write_error.h"
#include "convoy/base/process/pipe.h"

namespace convoy {
namespace {

// What exec() wants: pointers to words that live elsewhere, and a null pointer at the end.
std::vector<char*> pointers(const std::vector<std::string>& texts) {
  std::vector<char*> words;
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): exec does not change them
  for (const std::string& text : texts) words.push_back(const_cast<char*>(text.c_str()));
  words.push_back(nullptr);
  return words;
}

std::vector<std::string> environment_with(const std::vector<std::pair<std::string, std::string>>& defaults) {
  std::vector<std::string> variables;
  for (char** variable = environ; *variable != nullptr; ++variable) variables.emplace_back(*variable);
  for (const auto& [name, value] : defaults) {
    if (std::getenv(name.c_str()) == nullptr) variables.push_back(fmt::format("{}={}", name, value));
  }
  return variables;
}

// What the new process does between fork and exec. It makes only system calls that are safe after a process with
// several threads has forked.
[[noreturn]] void become(char* const* words, char* const* variables, const ChildOptions& options, int failure) {
  if (options.group == ProcessGroup::own) (void)setpgid(0, 0);
  (void)prctl(PR_SET_PDEATHSIG, SIGTERM);
  sigset_t none;
  sigemptyset(&none);
  (void)sigprocmask(SIG_SETMASK, &none, nullptr);
  const int nothing = open("/dev/null", O_RDWR);
  (void)dup2(options.input < 0 ? nothing : options.input, STDIN_FILENO);
  (void)dup2(options.output < 0 ? nothing : options.output, STDOUT_FILENO);
  (void)dup2(options.errors < 0 ? nothing : options.errors, STDERR_FILENO);
  (void)execvpe(words[0], words, variables);
  const int reason = errno;
  (void)!write(failure, &reason, sizeof(reason));
  constexpr int kNotStarted = 127;
  _exit(kNotStarted);
}

EndOfChild end_of(int status) {
  constexpr int kSignalled = 128;
  const int killed_by = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  return {.exit_code = killed_by == 0 ? WEXITSTATUS(status) : kSignalled + killed_by, .killed_by = killed_by};
}

// The errno that kept the new process from starting the program. 0 when it started: exec then closes the pipe.
int failure_to_start(Pipe& failure) {
  failure.in = Descriptor();
  int reason = 0;
  while (read(failure.out.get(), &reason, sizeof(reason)) < 0 && errno == EINTR) {
  }
  return reason;
}

// A descriptor that is not open for an empty name.
Descriptor open_for_child(const std::filesystem::path& file) {
  if (file.empty()) return Descriptor();
  constexpr mode_t kMode = 0666;
  Descriptor descriptor(open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, kMode));
  if (!descriptor.is_open()) throw WriteError("create", file, errno);
  return descriptor;
}

}  // namespace

NotStarted::NotStarted(const std::string& program, int error)
    : SystemError(fmt::format("{} cannot be started: {}", program, std::strerror(error))),
      // EACCES too: execvpe() gives it when the program is not found and a folder of PATH may not be searched.
      missing_(error == ENOENT || error == EACCES) {}

ChildProcess::ChildProcess(const std::vector<std::string>& arguments, const ChildOptions& options) {
  const std::vector<char*> words = pointers(arguments);
  const std::vector<std::string> environment = environment_with(options.default_variables);
  const std::vector<char*> variables = pointers(environment);
  Pipe failure;
  id_ = fork();
  if (id_ < 0) throw NotStarted(arguments.front(), errno);
  if (id_ == 0) become(words.data(), variables.data(), options, failure.in.get());
  const int reason = failure_to_start(failure);
  if (reason == 0) return;
  (void)wait();
  throw NotStarted(arguments.front(), reason);
}

ChildProcess::~ChildProcess() {
  if (end()) return;
  send(SIGKILL);
  (void)wait();
}

std::optional<EndOfChild> ChildProcess::end() {
  int status = 0;
  if (!end_ && waitpid(id_, &status, WNOHANG) != 0) end_ = end_of(status);
  return end_;
}

EndOfChild ChildProcess::wait() {
  int status = 0;
  while (!end_) {
    if (waitpid(id_, &status, 0) == id_ || errno != EINTR) end_ = end_of(status);
  }
  return *end_;
}

void ChildProcess::send(int signal) const {
  if (!end_) (void)kill(id_, signal);
}

void ChildProcess::send_to_group(int signal) const {
  if (!end_) (void)kill(-id_, signal);
}

int run_child(const std::vector<std::string>& arguments, const RunOptions& options) {
  const Descriptor output = open_for_child(options.stdout_file);
  const Descriptor errors = open_for_child(options.stderr_file);
  ChildProcess child(arguments, {.output = output.get(), .errors = errors.get(), .group = options.group});
  // Becomes readable when the child ends. The system call is made directly because the header of glibc 2.36 lacks C
  // linkage.
  const Descriptor ended(static_cast<int>(syscall(SYS_pidfd_open, child.id(), 0)));
  std::set<int> sent;
  while (!child.end()) {
    pollfd wait{.fd = ended.get(), .events = POLLIN, .revents = 0};
    constexpr int kPollMilliseconds = 200;
    (void)poll(&wait, 1, kPollMilliseconds);
    const int signal = options.signal_to_send();
    if (signal != 0 && sent.insert(signal).second) child.send(signal);
  }
  return child.wait().exit_code;
}

}  // namespace convoy
