// What ranks tell convoy's launcher: lines on stderr that the launcher takes out.
//
// The exit code with which a rank ends the run: mpirun would pass it on, but not before its own end, and when a host is
// gone it neither ends nor says why. And where the run is recorded: when a rank is killed, mpirun kills the others, and
// nobody is left to say how far they came.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace convoy::cli {

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

}  // namespace convoy::cli
