// What the shell and the terminal see of this process: how it was called, what it writes, how it ends.
#pragma once

#include <fmt/core.h>

#include <cstdio>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace convoy::cli {

// The exit codes, on which scripts can rely. After a signal it is kSignal + the signal's number.
enum ExitCode : int { kDone = 0, kRunFailed = 1, kUsage = 2, kData = 3, kDiverged = 4, kPeerLost = 5, kSignal = 128 };

// The program and its arguments as the system reports them; empty if it does not.
[[nodiscard]] std::vector<std::string> command_line();

// What the terminal can show. Only the command line asks this.

// Whether text on the given file descriptor may be coloured: it is a terminal, not a dumb one, and NO_COLOR is unset or
// empty (no-color.org).
[[nodiscard]] bool wants_colour(int file_descriptor);

// Whether stderr is read on a terminal: directly, or through mpirun. mpirun does not tell the ranks, so launch_plan.cc
// does.
[[nodiscard]] bool stderr_is_terminal();

// "error:", in red if stderr may be coloured.
[[nodiscard]] std::string error_label();

// Output to stdout and stderr while work goes on. A long run may outlive its terminal and whoever reads its output.

// Writes the text at once. False if that fails.
bool try_to_write(std::FILE* stream, std::string_view text);

// Writes to stderr what is not a result: progress, notes, errors. Text that cannot be written is dropped.
template <typename... Args>
void say(fmt::format_string<Args...> format, Args&&... args) {
  (void)try_to_write(stderr, fmt::format(format, std::forward<Args>(args)...));
}

// Writes a part of the result to stdout without interrupting the work. If it cannot be written, that becomes an error
// at the end; see require_results_written().
template <typename... Args>
void say_result(fmt::format_string<Args...> format, Args&&... args) {
  (void)try_to_write(stdout, fmt::format(format, std::forward<Args>(args)...));
}

// Throws SystemError when a part of the result did not reach stdout, because it was closed or its disk is full.
void require_results_written();

// From now on, if nobody reads the output any more, writing fails instead of ending the process. For commands that work
// for long; others end quietly at a closed pipe, as is usual.
void outlive_readers();

// Must be called first. Standard streams that the caller has closed are filled with placeholders: otherwise the next
// opened file would get their number, and messages would be written into it. Also makes writing beyond the user's limit
// for files (`ulimit -f`) an error instead of the end of the process.
void settle_standard_streams();

}  // namespace convoy::cli
