#include "convoy/cli/settings/setting_flags.h"

#include <CLI/CLI.hpp>

#include "convoy/base/error.h"

namespace convoy::cli {
namespace {

CLI::Option* add_flag(CLI::App& command, const Setting& setting) {
  const auto parse = [&setting](const std::string& text) {
    try {
      setting.parse(text.empty() && !setting.alone.empty() ? setting.alone : text);
    } catch (const UserError& error) {
      throw UserError("--{}", error.what());
    }
  };
  if (setting.is_switch) {
    return command
        .add_flag_callback(
            "--" + setting.key, [parse] { parse("true"); }, setting.help)
        ->group(setting.group);
  }
  CLI::Option* const option =
      command.add_option_function<std::string>("--" + setting.key, parse, setting.help)->group(setting.group);
  option->type_name(setting.type_name);
  setting.joined_by == 0 ? option->take_last() : option->join(setting.joined_by);
  if (!setting.alone.empty()) return option->expected(0, 1);  // no default, which would be mistaken for that value
  const std::string value = setting.toml();
  if (!value.empty() && value != "\"\"") {
    option->default_str(value.front() == '"' ? value.substr(1, value.size() - 2) : value);
  }
  return option;
}

}  // namespace

SettingFlags::SettingFlags(CLI::App& command, const std::vector<Setting>& settings) {
  for (const Setting& setting : settings) options_[setting.key] = add_flag(command, setting);
}

bool SettingFlags::is_given(const std::string& key) const { return options_.at(key)->count() > 0; }

bool SettingFlags::overrides(const std::string& key) const {
  return is_given(key) || (key == "network" && is_given("model"));
}

}  // namespace convoy::cli
