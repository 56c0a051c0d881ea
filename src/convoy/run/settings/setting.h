// A value the user can give as a flag or as a key of a file, under one name and with one meaning.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace convoy {

// Texts of values and back. parse_value() throws UserError that begins with the key.
void parse_value(const std::string& key, const std::string& text, std::string& value);
void parse_value(const std::string& key, const std::string& text, bool& value);
void parse_value(const std::string& key, const std::string& text, int& value);
void parse_value(const std::string& key, const std::string& text, std::int64_t& value);
void parse_value(const std::string& key, const std::string& text, std::uint64_t& value);
void parse_value(const std::string& key, const std::string& text, float& value);
void parse_value(const std::string& key, const std::string& text, double& value);

// As TOML writes them; numbers so that they come back the same to the bit.
[[nodiscard]] std::string toml_value(const std::string& value);
[[nodiscard]] std::string toml_value(bool value);
[[nodiscard]] std::string toml_value(int value);
[[nodiscard]] std::string toml_value(std::int64_t value);
[[nodiscard]] std::string toml_value(std::uint64_t value);
[[nodiscard]] std::string toml_value(float value);
[[nodiscard]] std::string toml_value(double value);

struct Setting {
  std::string key;  // "weight-decay": the flag is --weight-decay
  std::string type_name;
  std::string help;
  std::string group;                              // heading in help and file
  bool is_switch = false;                         // a flag without a value
  std::function<void(const std::string&)> parse;  // throws UserError that begins with the key
  std::function<std::string()> toml;              // the value as TOML; empty when there is none
  bool is_list = false;                           // a file may give an array; `parse` gets it with commas
  std::string alone = {};                         // the value of a flag that is given without one; empty: it needs one
};

// Settings that share a heading, in the order users see.
class SettingGroup {
 public:
  SettingGroup(std::string name, std::vector<Setting>& settings) : name_(std::move(name)), settings_(settings) {}

  // `value` outlives the settings.
  template <typename Value>
  SettingGroup& add(std::string key, Value& value, std::string type_name, std::string help) {
    const auto parse = [key, &value](const std::string& text) { parse_value(key, text, value); };
    settings_.push_back(
        {key, std::move(type_name), std::move(help), name_, false, parse, [&value] { return toml_value(value); }});
    settings_.back().is_switch = std::is_same_v<Value, bool>;
    return *this;
  }

  template <typename Value>
  SettingGroup& add(std::string key, std::optional<Value>& value, std::string type_name, std::string help) {
    const auto parse = [key, &value](const std::string& text) { parse_value(key, text, value.emplace()); };
    settings_.push_back({key, std::move(type_name), std::move(help), name_, false, parse,
                         [&value] { return value ? toml_value(*value) : std::string(); }});
    return *this;
  }

  // The flag of the last one added may be given without a value, and then means this.
  SettingGroup& or_alone(std::string value) {
    settings_.back().alone = std::move(value);
    return *this;
  }

 private:
  std::string name_;
  std::vector<Setting>& settings_;
};

}  // namespace convoy
