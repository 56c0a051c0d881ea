// Runs other programs. ChildProcess is one that is running; run_child() runs one to its end, with its output in files.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "convoy/base/error.h"

namespace convoy {

// A program could not be started. The message says which, and why.
class NotStarted : public SystemError {
 public:
  NotStarted(const std::string& program, int error);

  // Whether the program does not exist, or exists but this user may not run it.
  [[nodiscard]] bool is_missing() const { return missing_; }

 private:
  bool missing_;
};

enum class ProcessGroup : std::uint8_t {
  own,     // Ctrl-C on a terminal reaches only this process
  shared,  // Ctrl-C reaches the child too
};

struct ChildOptions {
  // Open descriptors that become the child's standard streams; a negative one stands for /dev/null.
  int input = -1;
  int output = -1;
  int errors = -1;
  ProcessGroup group = ProcessGroup::own;
  // Environment variables that the child gets unless this process has them already.
  std::vector<std::pair<std::string, std::string>> default_variables;
};

struct EndOfChild {
  int exit_code = 0;  // 128 + the signal when a signal ended it
  int killed_by = 0;  // that signal, or 0
};

// A child of this process. No signal is blocked in it, and the system sends it SIGTERM when the thread that started it
// ends. A child that is still running at the end of the scope is killed.
class ChildProcess {
 public:
  // Starts the program; one whose name has no slash is looked for in PATH. Throws NotStarted.
  ChildProcess(const std::vector<std::string>& arguments, const ChildOptions& options);
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  ~ChildProcess();

  [[nodiscard]] pid_t id() const { return id_; }

  // How the child ended; no value while it runs. Does not wait.
  [[nodiscard]] std::optional<EndOfChild> end();
  // Waits until the child has ended.
  EndOfChild wait();

  // Sends a signal; does nothing when the child has ended.
  void send(int signal) const;
  // The same for all processes of its group. Needs ProcessGroup::own.
  void send_to_group(int signal) const;

 private:
  pid_t id_ = -1;
  std::optional<EndOfChild> end_;
};

struct RunOptions {
  std::filesystem::path stdout_file;  // both files are emptied first; output without a file name is dropped
  std::filesystem::path stderr_file;
  ProcessGroup group = ProcessGroup::own;
  // Called a few times a second from the waiting thread: returns a signal to send to the program, or 0. Each signal is
  // sent only once.
  std::function<int()> signal_to_send = [] { return 0; };
};

// Runs a program without input to its end and returns its exit code, or 128 + the signal that ended it. Throws
// NotStarted, or WriteError when an output file cannot be created.
[[nodiscard]] int run_child(const std::vector<std::string>& arguments, const RunOptions& options);

}  // namespace convoy
