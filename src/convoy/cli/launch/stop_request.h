// How convoy's launcher asks the ranks it started to stop: with a line on the first rank's standard input, which any
// launcher of MPI passes on. The first rank says when it listens and when it has heard, in notices on stderr
// (end_notice.h), and tells the others with the reports of a step. Signals go beside it, as they may be lost: a library
// inside mpirun can take over the one that mpirun would pass on.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace convoy::cli {

// The whole line, with its end. `signal` is why: SIGINT, SIGTERM or SIGHUP.
[[nodiscard]] std::string stop_request(int signal);
// The signal, if the line, without its end, is such a request.
[[nodiscard]] std::optional<int> signal_in_request(std::string_view line);

// What the first rank says: the whole line, with its end.
[[nodiscard]] std::string listening_notice();
[[nodiscard]] std::string heard_notice();
// Whether the line, without its end, is such a notice.
[[nodiscard]] bool is_listening_notice(std::string_view line);
[[nodiscard]] bool is_heard_notice(std::string_view line);

// File descriptors of a rank that convoy started; -1 on all but the first.
struct StopChannel {
  int requests = -1;
  int answers = -1;
};

// This process's own; nothing when convoy's launcher did not start it.
[[nodiscard]] std::optional<StopChannel> stop_channel();

}  // namespace convoy::cli
