// The script by which bash completes convoy's command line, made from what the parser knows of its commands.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace convoy::cli {

// Values that are names, and what they are names of.
struct KnownNames {
  std::vector<std::string> models;
  std::vector<std::string> data_sets;
};

// For `app` and every command below it: sub-commands, flags, and of values those that can be known, by the type that
// help shows: files (FILE, PATH, IMAGE), folders (DIR), shells, commands, models (--model) and data sets (--data,
// DATA). Works with and without the package bash-completion.
[[nodiscard]] std::string bash_completion(const CLI::App& app, const KnownNames& names);

}  // namespace convoy::cli
