// A command as a user would type it.
#pragma once

#include <string>
#include <vector>

namespace convoy::report {

// Words that a shell would take apart are quoted; long commands go over several lines, flag by flag, each but the last
// ending in a backslash.
[[nodiscard]] std::string shell_text(const std::vector<std::string>& command);

}  // namespace convoy::report
