// Settings as flags of a command.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "convoy/run/settings/setting.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace convoy::cli {

class SettingFlags {
 public:
  // Adds a flag for each setting. `settings` must outlive this and the command.
  SettingFlags(CLI::App& command, const std::vector<Setting>& settings);

  // Whether the user gave the flag of this setting.
  [[nodiscard]] bool is_given(const std::string& key) const;
  // Whether a file's value for this setting must be ignored: because the user gave it or, if it is the text of a
  // network, chose another model.
  [[nodiscard]] bool overrides(const std::string& key) const;

 private:
  std::map<std::string, CLI::Option*> options_;
};

}  // namespace convoy::cli
