// What the terminal can show. The command line is the only place that asks.
#pragma once

#include <string>

namespace convoy::cli {

// Whether text on the given file descriptor may be coloured: it is a terminal, not a dumb one, and NO_COLOR is unset or
// empty (no-color.org).
[[nodiscard]] bool wants_colour(int file_descriptor);

// Whether what goes to stderr is read on a terminal: directly, or through mpirun, which says nothing of it to the
// ranks, so launch_plan.cc does.
[[nodiscard]] bool stderr_is_terminal();

// "error:", in red where stderr wants colour.
[[nodiscard]] std::string error_label();

}  // namespace convoy::cli
