// What the shell and the terminal see of this process: how it was called, what it writes, how it ends.
#pragma once

#include <fmt/core.h>

#include <cstdio>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace convoy::cli {

// The exit codes, for scripts to rely on. After a signal it is kSignal + its number.
enum ExitCode : int { kDone = 0, kRunFailed = 1, kUsage = 2, kData = 3, kDiverged = 4, kPeerLost = 5, kSignal = 128 };

// The program and its arguments, as the system tells them; empty where it does not.
[[nodiscard]] std::vector<std::string> command_line();

// What the terminal can show. The command line is the only place that asks.

// Whether text on the given file descriptor may be coloured: it is a terminal, not a dumb one, and NO_COLOR is unset or
// empty (no-color.org).
[[nodiscard]] bool wants_colour(int file_descriptor);

// Whether what goes to stderr is read on a terminal: directly, or through mpirun, which says nothing of it to the
// ranks, so launch_plan.cc does.
[[nodiscard]] bool stderr_is_terminal();

// "error:", in red where stderr wants colour.
[[nodiscard]] std::string error_label();

// What goes to stdout and stderr while work goes on. A long run outlives its terminal, and whoever reads its output.

// Writes the text at once. False when that cannot be done.
bool try_to_write(std::FILE* stream, std::string_view text);

// To stderr, what is no result: progress, notes, errors. What cannot be written is dropped.
template <typename... Args>
void say(fmt::format_string<Args...> format, Args&&... args) {
  (void)try_to_write(stderr, fmt::format(format, std::forward<Args>(args)...));
}

// To stdout, a part of the result for which work does not wait. That it could not be written is an error once all is
// done; see require_results_written().
template <typename... Args>
void say_result(fmt::format_string<Args...> format, Args&&... args) {
  (void)try_to_write(stdout, fmt::format(format, std::forward<Args>(args)...));
}

// Throws SystemError when something of the result did not reach stdout: it was closed, or its disk is full.
void require_results_written();

// From now on nobody reading any more is a failed write and not the end of the process. For commands that work long;
// the others end quietly before a closed pipe, as is usual.
void outlive_readers();

// To be called first of all. Standard streams that the caller has closed are taken: the next file to be opened would
// get their number, and messages would be written into it. And a file that grows beyond the user's limit (`ulimit -f`)
// is a failed write and not the end of the process.
void settle_standard_streams();

}  // namespace convoy::cli
