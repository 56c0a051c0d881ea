// What goes to stdout and stderr while work goes on. A long run outlives its terminal, and whoever reads its output.
#pragma once

#include <fmt/core.h>

#include <cstdio>
#include <string_view>
#include <utility>

namespace convoy::cli {

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
