// The lines with which convoy's launcher and the ranks it started talk to each other.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace convoy::cli {

// Notices: lines on stderr by which ranks tell convoy's launcher something, and which the launcher does not show.
//
// One notice is the exit code with which a rank ends the run: mpirun would pass it on only when it ends itself, and
// when a host is gone it neither ends nor says why. Another is the folder in which the run is recorded: when a rank is
// killed, mpirun kills the others, and nobody is left to say how far they came.

// Set for ranks that convoy started and whose stderr it reads; without it, users would see the notices.
inline constexpr const char* kReadsNotices = "CONVOY_READS_NOTICES";

// Occurs in nothing else that ranks write.
inline constexpr char kNoticeMark = '\x1e';

// A whole line, including its line break.
[[nodiscard]] std::string end_notice(int exit_code);
[[nodiscard]] std::string folder_notice(const std::string& folder);

// The exit code, if the line (without its line break) is such a notice.
[[nodiscard]] std::optional<int> code_in_notice(std::string_view line);
// The folder, if the line is that notice.
[[nodiscard]] std::optional<std::string> folder_in_notice(std::string_view line);

// How convoy's launcher asks the ranks it started to stop: with a line on the first rank's standard input, which every
// MPI launcher passes on. The first rank says when it begins to listen and when it has heard a request, in notices on
// stderr (as above), and tells the other ranks with the reports of a step. Signals are sent too, but they may be lost:
// a library inside mpirun can catch the one that mpirun should pass on.

// A whole line, including its line break. `signal` is the reason: SIGINT, SIGTERM or SIGHUP.
[[nodiscard]] std::string stop_request(int signal);
// The signal, if the line (without its line break) is such a request.
[[nodiscard]] std::optional<int> signal_in_request(std::string_view line);

// Notices of the first rank: whole lines, including the line break.
[[nodiscard]] std::string listening_notice();
[[nodiscard]] std::string heard_notice();
// Whether the line (without its line break) is that notice.
[[nodiscard]] bool is_listening_notice(std::string_view line);
[[nodiscard]] bool is_heard_notice(std::string_view line);

// File descriptors of a rank that convoy started; -1 on all ranks but the first.
struct StopChannel {
  int requests = -1;
  int answers = -1;
};

// That of this process; no value if convoy's launcher did not start it.
[[nodiscard]] std::optional<StopChannel> stop_channel();

}  // namespace convoy::cli
