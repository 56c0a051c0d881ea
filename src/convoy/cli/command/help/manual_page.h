// Manual pages (man 1) made from what the parser knows of its commands, so that help and manual say the same.
#pragma once

#include <string>
#include <string_view>

namespace CLI {
class App;
}

namespace convoy::cli {

// The text as roff shows it letter by letter: nothing in it is an escape or, at the start of a line, a request. Hyphens
// are those that a user can copy into a shell.
[[nodiscard]] std::string roff_escaped(std::string_view text);

// Prose: escaped, and what stands between backticks in bold.
[[nodiscard]] std::string roff_prose(std::string_view text);

// A footer is lines of prose and, behind a line "Example:" or "Examples:", indented commands.
struct Footer {
  std::string prose;
  std::string examples;  // without indentation, a line each
};
[[nodiscard]] Footer split_footer(const std::string& text);

struct ManualOptions {
  std::string version;  // of the program
  std::string home;     // the user's folder; defaults in it are written with ~, as they are another reader's too
};

// "convoy-data-get", also the name of the page's file before ".1".
[[nodiscard]] std::string manual_name(const CLI::App& command);

// The page of one command, in the roff that man, groff and mandoc read.
[[nodiscard]] std::string manual_page(const CLI::App& command, const ManualOptions& options);

}  // namespace convoy::cli
