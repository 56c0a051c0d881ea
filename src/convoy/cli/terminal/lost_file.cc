#include "convoy/cli/terminal/lost_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "convoy/cli/terminal/terminal.h"

namespace convoy::cli {
namespace {

// Everything below runs in a signal handler: system calls and memory on the stack only.

void write_text(std::string_view text) { (void)!write(STDERR_FILENO, text.data(), text.size()); }

// Whether a line of /proc/self/maps, "7f00-7f80 r--s 00000000 fe:01 1234   /data/a.pack", is about the address.
bool covers(std::string_view line, std::uintptr_t address) {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
  const char* const last = line.data() + line.size();
  const auto [dash, bad_begin] = std::from_chars(line.data(), last, begin, 16);
  if (bad_begin != std::errc() || dash == last) return false;
  const auto [rest, bad_end] = std::from_chars(dash + 1, last, end, 16);
  return bad_end == std::errc() && begin <= address && address < end;
}

// The path in such a line; empty if there is none.
std::string_view path_in(std::string_view line) {
  const auto slash = line.find('/');
  return slash == std::string_view::npos ? std::string_view() : line.substr(slash);
}

// Reads the list line by line and tells the path of the file that the address belongs to.
template <typename Tell>
void find_file(std::uintptr_t address, const Tell& tell) {
  const int maps = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
  std::array<char, 4096 + 128> line{};  // the longest path, and what stands before it
  std::size_t size = 0;
  for (char c = 0; maps >= 0 && read(maps, &c, 1) == 1;) {
    if (c != '\n') {
      if (size < line.size()) line[size++] = c;
      continue;
    }
    if (covers({line.data(), size}, address)) return tell(path_in({line.data(), size}));
    size = 0;
  }
  tell({});
}

void explain(int /*signal*/, siginfo_t* info, void* /*context*/) {
  find_file(reinterpret_cast<std::uintptr_t>(info->si_addr), [](std::string_view path) {
    const bool is_memory = path.starts_with("/dev/shm/");
    write_text("error: ");
    write_text(path.empty() ? "a file" : path);
    write_text(is_memory ? ": there is no room left in /dev/shm for the memory that workers share\n"
                         : ": was cut short while it was being read; make it again, then go on\n");
    std::_Exit(is_memory ? kRunFailed : kData);
  });
}

}  // namespace

void explain_lost_files() {
  struct sigaction action {};
  action.sa_sigaction = explain;
  action.sa_flags = SA_SIGINFO;
  (void)sigaction(SIGBUS, &action, nullptr);
}

}  // namespace convoy::cli
