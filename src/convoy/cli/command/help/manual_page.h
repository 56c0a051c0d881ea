// Makes manual pages (man 1) from what the parser knows about the commands, so that help and manual agree.
#pragma once

#include <string>
#include <string_view>

namespace CLI {
class App;
}

namespace convoy::cli {

// Escapes text so that roff shows it literally: nothing in it acts as an escape or, at the start of a line, as a
// request. Hyphens can be copied into a shell.
[[nodiscard]] std::string roff_escaped(std::string_view text);

// Prose: escaped, with text between backticks in bold.
[[nodiscard]] std::string roff_prose(std::string_view text);

// A footer consists of lines of prose and, after a line "Example:" or "Examples:", indented commands.
struct Footer {
  std::string prose;
  std::string examples;  // one per line, without indentation
};
[[nodiscard]] Footer split_footer(const std::string& text);

struct ManualOptions {
  std::string version;  // of the program
  // The user's home folder; defaults in it are written with ~, because they hold for other readers too.
  std::string home;
};

// "convoy-data-get", which is also the name of the page's file before ".1".
[[nodiscard]] std::string manual_name(const CLI::App& command);

// The page of one command, in roff that man, groff and mandoc can read.
[[nodiscard]] std::string manual_page(const CLI::App& command, const ManualOptions& options);

}  // namespace convoy::cli
