#include "convoy/run/settings/settings_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "convoy/base/error.h"
#include "convoy/base/toml_check.h"
#include "convoy/base/toml_parser.h"
#include "convoy/run/settings/setting_names.h"

namespace convoy {
namespace {

// Reads a file or a pipe.
std::string text_of(const std::filesystem::path& path) {
  if (!std::filesystem::exists(path)) throw UserError("{}: there is no such file", path.string());
  if (std::filesystem::is_directory(path)) throw UserError("{}: it is a folder; give a TOML file", path.string());
  std::ifstream file(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (!file) throw UserError("{}: it cannot be read", path.string());
  return text;
}

toml::table parse_file(const std::filesystem::path& path) {
  const std::string text = text_of(path);
  check_toml(text, path.string());
  try {
    return toml::parse(text, path.string());
  } catch (const toml::parse_error& error) {
    throw UserError("{}:{}: {}", path.string(), error.source().begin.line, error.description());
  }
}

// The value as a flag would give it; no value for tables, arrays and dates.
std::optional<std::string> value_text(const toml::node& node) {
  if (const auto text = node.value_exact<std::string>()) return *text;
  if (const auto truth = node.value_exact<bool>()) return *truth ? "true" : "false";
  if (const auto whole = node.value_exact<std::int64_t>()) return fmt::format("{}", *whole);
  if (const auto number = node.value_exact<double>()) return fmt::format("{}", *number);
  return std::nullopt;
}

// An array as a flag would give it.
std::optional<std::string> list_text(const toml::node& node) {
  const toml::array* const array = node.as_array();
  if (array == nullptr) return std::nullopt;
  std::string text;
  for (const toml::node& entry : *array) {
    const auto value = value_text(entry);
    if (!value) return std::nullopt;
    text += (text.empty() ? "" : ",") + *value;
  }
  return text;
}

[[noreturn]] void refuse_key(const std::string& where, std::string_view key, const std::vector<Setting>& settings) {
  std::vector<std::string> keys;
  for (const Setting& setting : settings) keys.push_back(setting.key);
  const std::vector<std::string> meant = names_meant(std::string(key), keys);
  throw UserError("{}: unknown key '{}'{}", where, key,
                  meant.empty() ? "; keys are the long flags of the command"
                                : fmt::format("; did you mean '{}'?", fmt::join(meant, "' or '")));
}

void set_from_file(const Setting& setting, const std::string& where, const toml::node& node) {
  auto text = value_text(node);
  if (!text && setting.is_list) text = list_text(node);
  if (!text) {
    throw UserError("{}: '{}' must be a single value{}", where, setting.key,
                    setting.is_list ? " or a list of such" : "");
  }
  try {
    setting.parse(*text);
  } catch (const UserError& error) {
    throw UserError("{}: {}", where, error.what());
  }
}

}  // namespace

void read_settings_file(const std::filesystem::path& path, const std::vector<Setting>& settings,
                        const std::function<bool(const std::string&)>& is_overridden) {
  const toml::table table = parse_file(path);
  for (const auto& [key, node] : table) {
    const std::string where = fmt::format("{}:{}", path.string(), key.source().begin.line);
    const auto found = std::ranges::find(settings, key.str(), &Setting::key);
    if (found == settings.end()) refuse_key(where, key.str(), settings);
    if (!is_overridden(found->key)) set_from_file(*found, where, node);
  }
}

std::string settings_toml(const std::vector<Setting>& settings) {
  std::string text;
  std::string group;
  for (const Setting& setting : settings) {
    const std::string value = setting.toml();
    if (value.empty() || value == "\"\"") continue;
    if (setting.group != group) text += fmt::format("{}# {}\n", text.empty() ? "" : "\n", group = setting.group);
    text += fmt::format("{} = {}\n", setting.key, value);
  }
  return text;
}

nlohmann::ordered_json settings_json(const std::vector<Setting>& settings) {
  using Json = nlohmann::ordered_json;
  Json json = Json::object();
  for (const Setting& setting : settings) {
    const std::string value = setting.toml();
    if (value.empty()) continue;
    // TOML values are valid JSON, except infinities and NaN, which are kept as text.
    json[setting.key] = Json::accept(value) ? Json::parse(value) : Json(value);
  }
  return json;
}

void set_from_json(const nlohmann::ordered_json& json, const std::vector<Setting>& settings,
                   const std::function<bool(const std::string&)>& is_overridden) {
  for (const Setting& setting : settings) {
    const auto found = json.find(setting.key);
    if (found == json.end() || is_overridden(setting.key)) continue;
    setting.parse(found->is_string() ? found->get<std::string>() : found->dump());
  }
}

}  // namespace convoy
