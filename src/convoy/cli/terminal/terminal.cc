#include "convoy/cli/terminal/terminal.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string_view>

#include "convoy/base/error.h"

namespace convoy::cli {

std::vector<std::string> command_line() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::vector<std::string> words;
  for (std::string word; std::getline(file, word, '\0');) words.push_back(word);
  return words;
}

bool stderr_is_terminal() { return isatty(STDERR_FILENO) == 1 || std::getenv("CONVOY_ON_TERMINAL") != nullptr; }

bool wants_colour(int file_descriptor) {
  const char* const no_color = std::getenv("NO_COLOR");
  if (no_color != nullptr && *no_color != '\0') {
    return false;
  }
  const char* const term = std::getenv("TERM");
  const bool on_terminal = file_descriptor == STDERR_FILENO ? stderr_is_terminal() : isatty(file_descriptor) == 1;
  return on_terminal && term != nullptr && std::string_view(term) != "dumb";
}

std::string error_label() { return wants_colour(STDERR_FILENO) ? "\033[1;31merror:\033[0m" : "error:"; }

namespace {

void do_nothing(int /*signal*/) {}

// Why a part of the result could not be written to standard output; 0 as long as all was.
int lost_result = 0;

// Uses a handler instead of SIG_IGN, which started programs would inherit. The thread that gets these signals is inside
// a system call and not in generated code (interrupt.h).
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
  errno = 0;
  const bool is_taken = text.empty() || std::fwrite(text.data(), 1, text.size(), stream) == text.size();
  if (is_taken && std::fflush(stream) == 0) return true;
  if (stream == stdout && lost_result == 0) lost_result = errno;
  return false;
}

void require_results_written() {
  (void)try_to_write(stdout, {});
  if (std::ferror(stdout) == 0 && lost_result == 0) return;
  const bool is_unread = lost_result == 0 || lost_result == EPIPE;
  throw SystemError(fmt::format("cannot write the result to standard output: {}",
                                is_unread ? "nobody read it to the end" : std::strerror(lost_result)));
}

void outlive_readers() { survive(SIGPIPE); }

void settle_standard_streams() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    // The placeholder can be neither read nor written, so that no operation seems to succeed. It gets the lowest free
    // number.
    if (fcntl(descriptor, F_GETFD) < 0 && errno == EBADF) (void)open("/", O_PATH);
  }
  survive(SIGXFSZ);
}

}  // namespace convoy::cli
