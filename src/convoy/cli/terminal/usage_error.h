// Words for what the parser refused: what was wrong, the nearest flag or sub-command, and where the help is.
#pragma once

#include <string>

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace convoy::cli {

// `app` is the root that threw `error` while parsing.
[[nodiscard]] std::string describe_usage_error(const CLI::App& app, const CLI::ParseError& error);

}  // namespace convoy::cli
