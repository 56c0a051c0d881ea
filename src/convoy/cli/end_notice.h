// How a rank that ends the run tells convoy's launcher its exit code: a line on stderr that the launcher takes out.
// mpirun would pass the code on, but not before its own end, and when a host is gone it neither ends nor says why.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace convoy::cli {

// Set for ranks whose stderr convoy reads; others would show the line to the user.
inline constexpr const char* kReadsNotices = "CONVOY_READS_NOTICES";

// No other line begins with it.
inline constexpr char kNoticeMark = '\x1e';

// The whole line, with its end.
[[nodiscard]] std::string end_notice(int exit_code);

// The code, if the line, without its end, is such a notice.
[[nodiscard]] std::optional<int> code_in_notice(std::string_view line);

}  // namespace convoy::cli
