// Reads and writes settings as TOML files and as JSON objects.
#pragma once

#include <filesystem>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "convoy/run/settings/setting.h"

namespace convoy {

// Sets what the file says, except keys that `is_overridden`. Throws UserError with file and line for text that is not
// TOML, for an unknown key (suggesting the nearest one) and for an invalid value.
void read_settings_file(
    const std::filesystem::path& path, const std::vector<Setting>& settings,
    const std::function<bool(const std::string&)>& is_overridden = [](const std::string&) { return false; });

// All settings that have a value, under their headings, in the form that read_settings_file() reads.
[[nodiscard]] std::string settings_toml(const std::vector<Setting>& settings);

// The same as a JSON object, and back: sets what the object contains, except keys that `is_overridden`; unknown keys
// are ignored. Throws UserError for an invalid value.
[[nodiscard]] nlohmann::ordered_json settings_json(const std::vector<Setting>& settings);
void set_from_json(const nlohmann::ordered_json& json, const std::vector<Setting>& settings,
                   const std::function<bool(const std::string&)>& is_overridden);

}  // namespace convoy
