#include "convoy/cli/terminal/standard_streams.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

#include "convoy/base/error.h"

namespace convoy::cli {
namespace {

void do_nothing(int /*signal*/) {}

// A handler and not SIG_IGN, which programs that are started from here would inherit. The thread that gets these
// signals is inside a call to the system, not in generated code (interrupt.h).
void survive(int signal) {
  struct sigaction action {};
  if (sigaction(signal, nullptr, &action) != 0 || action.sa_handler != SIG_DFL) return;
  action = {};
  action.sa_handler = do_nothing;
  action.sa_flags = SA_RESTART;
  (void)sigaction(signal, &action, nullptr);
}

}  // namespace

bool try_to_write(std::FILE* stream, std::string_view text) {
  return std::fwrite(text.data(), 1, text.size(), stream) == text.size() && std::fflush(stream) == 0;
}

void require_results_written() {
  errno = 0;
  const bool flushed = std::fflush(stdout) == 0;
  if (flushed && std::ferror(stdout) == 0) return;
  throw SystemError(fmt::format("cannot write the result to standard output: {}",
                                flushed || errno == 0 ? "nobody read it to the end" : std::strerror(errno)));
}

void outlive_readers() { survive(SIGPIPE); }

void settle_standard_streams() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    // Can be neither read nor written, so that nothing seems to have worked. It gets the lowest number that is free.
    if (fcntl(descriptor, F_GETFD) < 0 && errno == EBADF) (void)open("/", O_PATH);
  }
  survive(SIGXFSZ);
}

}  // namespace convoy::cli
