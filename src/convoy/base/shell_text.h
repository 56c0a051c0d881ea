// A command as a user would type it.
#pragma once

#include <string>
#include <vector>

namespace convoy {

// On one line, with quotes around words that a shell would split or change.
[[nodiscard]] std::string shell_text(const std::vector<std::string>& command);

// For a page: long commands go over several lines, flag by flag, each but the last ending in a backslash.
[[nodiscard]] std::string shell_listing(const std::vector<std::string>& command);

}  // namespace convoy
