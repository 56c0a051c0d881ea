// The lines by which convoy's launcher and the ranks it started talk to each other.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace convoy::cli {

// What ranks tell convoy's launcher: lines on stderr that the launcher takes out.
//
// The exit code with which a rank ends the run: mpirun would pass it on, but not before its own end, and when a host is
// gone it neither ends nor says why. And where the run is recorded: when a rank is killed, mpirun kills the others, and
// nobody is left to say how far they came.

// Set for ranks that convoy started, whose stderr it reads; others would show the line to the user.
inline constexpr const char* kReadsNotices = "CONVOY_READS_NOTICES";

// Nothing else that ranks write contains it.
inline constexpr char kNoticeMark = '\x1e';

// The whole line, with its end.
[[nodiscard]] std::string end_notice(int exit_code);
[[nodiscard]] std::string folder_notice(const std::string& folder);

// The code, if the line, without its end, is such a notice.
[[nodiscard]] std::optional<int> code_in_notice(std::string_view line);
// The folder, likewise.
[[nodiscard]] std::optional<std::string> folder_in_notice(std::string_view line);

// How convoy's launcher asks the ranks it started to stop: with a line on the first rank's standard input, which any
// launcher of MPI passes on. The first rank says when it listens and when it has heard, in notices on stderr
// (as above), and tells the others with the reports of a step. Signals go beside it, as they may be lost: a library
// inside mpirun can take over the one that mpirun would pass on.

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
