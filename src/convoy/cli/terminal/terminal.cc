#include "convoy/cli/terminal/terminal.h"

#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace convoy::cli {

bool stderr_is_terminal() { return isatty(STDERR_FILENO) == 1 || std::getenv("CONVOY_ON_TERMINAL") != nullptr; }

bool wants_colour(int file_descriptor) {
  const char* const no_color = std::getenv("NO_COLOR");
  if (no_color != nullptr && *no_color != '\0') {
    return false;
  }
  const char* const term = std::getenv("TERM");
  const bool on_terminal = file_descriptor == STDERR_FILENO ? stderr_is_terminal() : isatty(file_descriptor) == 1;
  return on_terminal && term != nullptr && std::string_view(term) != "dumb";
}

std::string error_label() { return wants_colour(STDERR_FILENO) ? "\033[1;31merror:\033[0m" : "error:"; }

}  // namespace convoy::cli
