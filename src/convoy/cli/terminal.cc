#include "convoy/cli/terminal.h"

#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace convoy::cli {

bool wants_colour(int file_descriptor) {
  const char* const no_color = std::getenv("NO_COLOR");
  if (no_color != nullptr && *no_color != '\0') {
    return false;
  }
  const char* const term = std::getenv("TERM");
  return isatty(file_descriptor) == 1 && term != nullptr && std::string_view(term) != "dumb";
}

std::string error_label() { return wants_colour(STDERR_FILENO) ? "\033[1;31merror:\033[0m" : "error:"; }

}  // namespace convoy::cli
