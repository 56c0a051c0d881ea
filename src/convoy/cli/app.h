// The frame of the command line: makes the parser, runs the chosen sub-command, and turns errors into a message on
// stderr and an exit code.
//
// Each sub-command is a file pair <name>_command.{h,cc} with one function `void add_<name>_command(CLI::App& app)` that
// adds its parser, its options, an example in the footer, and a callback that runs it; make_app() calls it. A callback
// prints its result to stdout and reports failure by throwing.
#pragma once

#include <memory>

namespace CLI {
class App;
}

namespace convoy::cli {

// The parser with every sub-command.
[[nodiscard]] std::unique_ptr<CLI::App> make_app();

// Parses argv, runs the command and returns the exit code. If this is one of several ranks, a failure ends all of them,
// and one says why.
[[nodiscard]] int run(int argc, const char* const* argv);
// The same with a given parser.
[[nodiscard]] int run(CLI::App& app, int argc, const char* const* argv);

}  // namespace convoy::cli
