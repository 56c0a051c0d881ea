#include "convoy/base/process/child_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <set>

#include "convoy/base/error.h"

namespace convoy {
namespace {

constexpr int kNotStarted = 127;
constexpr int kPollMilliseconds = 200;

class Descriptor {
 public:
  explicit Descriptor(int descriptor) : descriptor_(descriptor) {}
  ~Descriptor() {
    if (descriptor_ >= 0) (void)close(descriptor_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  [[nodiscard]] int get() const { return descriptor_; }

 private:
  int descriptor_;
};

int open_output(const std::filesystem::path& file) {
  constexpr mode_t kMode = 0666;
  const int descriptor = open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, kMode);
  if (descriptor < 0) throw SystemError(fmt::format("{}: {}", file.string(), std::strerror(errno)));
  return descriptor;
}

std::vector<char*> pointers(const std::vector<std::string>& arguments) {
  std::vector<char*> words;
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): exec does not change them
  for (const std::string& argument : arguments) words.push_back(const_cast<char*>(argument.c_str()));
  words.push_back(nullptr);
  return words;
}

// Only calls that are safe after a fork of a process with threads.
[[noreturn]] void become(const std::vector<char*>& words, int output, int errors) {
  (void)setpgid(0, 0);
  (void)prctl(PR_SET_PDEATHSIG, SIGTERM);
  sigset_t none;
  sigemptyset(&none);
  (void)sigprocmask(SIG_SETMASK, &none, nullptr);
  (void)dup2(open("/dev/null", O_RDONLY), STDIN_FILENO);
  (void)dup2(output, STDOUT_FILENO);
  (void)dup2(errors, STDERR_FILENO);
  (void)execvp(words.front(), words.data());
  _exit(kNotStarted);
}

int wait_for(pid_t child, const std::function<int()>& signal_to_send) {
  // Not glibc's function: in its version 2.36 the header lacks C linkage.
  const Descriptor ended(static_cast<int>(syscall(SYS_pidfd_open, child, 0)));
  std::set<int> sent;
  int status = 0;
  while (waitpid(child, &status, WNOHANG) == 0) {
    pollfd wait{.fd = ended.get(), .events = POLLIN, .revents = 0};
    (void)poll(&wait, 1, kPollMilliseconds);
    const int signal = signal_to_send();
    if (signal != 0 && sent.insert(signal).second) (void)kill(child, signal);
  }
  constexpr int kSignalled = 128;
  return WIFSIGNALED(status) ? kSignalled + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace

int run_child(const std::vector<std::string>& arguments, const ChildOptions& options) {
  const Descriptor output(open_output(options.stdout_file));
  const Descriptor errors(open_output(options.stderr_file));
  const std::vector<char*> words = pointers(arguments);
  const pid_t child = fork();
  if (child < 0) throw SystemError(fmt::format("{} cannot be started: {}", arguments.front(), std::strerror(errno)));
  if (child == 0) become(words, output.get(), errors.get());
  const int code = wait_for(child, options.signal_to_send);
  if (code == kNotStarted) throw SystemError(fmt::format("{} cannot be started", arguments.front()));
  return code;
}

}  // namespace convoy
