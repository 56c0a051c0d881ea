// Runs other programs. ChildProcess is one that runs; run_child() waits for one, with its output in files.
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

  // Whether there is no such program, or none that this user may run.
  [[nodiscard]] bool is_missing() const { return missing_; }

 private:
  bool missing_;
};

enum class ProcessGroup : std::uint8_t {
  own,     // Ctrl-C on a terminal is for this process alone
  shared,  // and for the child too
};

struct ChildOptions {
  // What the child has as its standard streams, open here; negative: none, as /dev/null.
  int input = -1;
  int output = -1;
  int errors = -1;
  ProcessGroup group = ProcessGroup::own;
  // Variables that the child gets where this process does not have them.
  std::vector<std::pair<std::string, std::string>> default_variables;
};

struct EndOfChild {
  int exit_code = 0;  // 128 + the signal when one ended it
  int killed_by = 0;  // that signal, or 0
};

// A child of this process. It blocks no signals, and is asked to end (SIGTERM) when the thread that started it does.
// One that still runs at the end of the scope is killed.
class ChildProcess {
 public:
  // Starts the program, which is looked for in PATH when its name has no slash. Throws NotStarted.
  ChildProcess(const std::vector<std::string>& arguments, const ChildOptions& options);
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  ~ChildProcess();

  [[nodiscard]] pid_t id() const { return id_; }

  // Nothing while it runs; does not wait.
  [[nodiscard]] std::optional<EndOfChild> end();
  // Waits for the end.
  EndOfChild wait();

  // Does nothing when it has ended.
  void send(int signal) const;
  // The same for all processes of its group, which is its own.
  void send_to_group(int signal) const;

 private:
  pid_t id_ = -1;
  std::optional<EndOfChild> end_;
};

struct RunOptions {
  std::filesystem::path stdout_file;  // both are emptied first; without a name the output is dropped
  std::filesystem::path stderr_file;
  ProcessGroup group = ProcessGroup::own;
  // Asked a few times a second, from the waiting thread: a signal to send to the program, or 0. Each signal is sent
  // once.
  std::function<int()> signal_to_send = [] { return 0; };
};

// Runs a program without input to its end and returns its exit code, or 128 + the signal that ended it. Throws
// NotStarted, and WriteError when an output file cannot be made.
[[nodiscard]] int run_child(const std::vector<std::string>& arguments, const RunOptions& options);

}  // namespace convoy
