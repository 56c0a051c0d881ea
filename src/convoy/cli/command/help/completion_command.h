// The script with which bash completes convoy's command line, made from what the parser knows about the commands.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace convoy::cli {

// Names that can be completed as values.
struct KnownNames {
  std::vector<std::string> models;
  std::vector<std::string> data_sets;
};

// The script for `app` and every command below it: sub-commands, flags, and those values that can be known from the
// type that help shows: files (FILE, PATH, IMAGE), folders (DIR), shells, commands, models (--model) and data sets
// (--data, DATA). Works with and without the package bash-completion.
[[nodiscard]] std::string bash_completion(const CLI::App& app, const KnownNames& names);

}  // namespace convoy::cli
