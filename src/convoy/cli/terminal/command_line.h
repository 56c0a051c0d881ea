// How this process was called.
#pragma once

#include <string>
#include <vector>

namespace convoy::cli {

// The program and its arguments, as the system tells them; empty where it does not.
[[nodiscard]] std::vector<std::string> command_line();

}  // namespace convoy::cli
