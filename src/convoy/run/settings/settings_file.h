// Settings as keys of a TOML file and as a JSON object.
#pragma once

#include <filesystem>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
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

// Whether TOML text is nested deeper than any real file. The parser frees tables by recursion, so that a key of 100,000
// parts would overflow the stack.

// Dotted parts of a key, and brackets within brackets.
inline constexpr int kDeepestToml = 32;

// The number of the first line that is deeper; nothing when none is. Strings and comments do not count. The text need
// not be valid.
[[nodiscard]] std::optional<int> line_too_deep(std::string_view text);

}  // namespace convoy
