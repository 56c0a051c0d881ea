// Runs another program and waits for it, with its output in files.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace convoy {

struct ChildOptions {
  std::filesystem::path stdout_file;  // both are emptied first
  std::filesystem::path stderr_file;
  // Asked a few times a second, from the waiting thread: a signal to send to the program, or 0. Each signal is sent
  // once.
  std::function<int()> signal_to_send = [] { return 0; };
};

// The program's exit code, or 128 + the signal that ended it. The first argument is looked for in PATH. It runs in a
// process group of its own, so that Ctrl-C on a terminal is for this process alone, has no input, and is asked to end
// when this process does. Throws SystemError when it cannot be started.
[[nodiscard]] int run_child(const std::vector<std::string>& arguments, const ChildOptions& options);

}  // namespace convoy
