// Settings as keys of a TOML file and as a JSON object.
#pragma once

#include <filesystem>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "convoy/run/settings/setting.h"

namespace convoy {

// Sets what the file says, but for keys that `is_overridden`. Throws UserError with file and line for what is not TOML,
// for an unknown key (with the nearest one) and for a value that is none.
void read_settings_file(
    const std::filesystem::path& path, const std::vector<Setting>& settings,
    const std::function<bool(const std::string&)>& is_overridden = [](const std::string&) { return false; });

// All settings that have a value, under their headings: what read_settings_file() reads.
[[nodiscard]] std::string settings_toml(const std::vector<Setting>& settings);

// The same as an object, and back: sets what the object has a value for, but for keys that `is_overridden`; keys that
// are unknown are passed over. Throws UserError for a value that is none.
[[nodiscard]] nlohmann::ordered_json settings_json(const std::vector<Setting>& settings);
void set_from_json(const nlohmann::ordered_json& json, const std::vector<Setting>& settings,
                   const std::function<bool(const std::string&)>& is_overridden);

}  // namespace convoy
