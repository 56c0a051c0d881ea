// A value that the user can give as a flag or as a key of a file, under one name and with one meaning.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace convoy {

// Convert between values and text. parse_value() throws UserError that begins with the key.
void parse_value(const std::string& key, const std::string& text, std::string& value);
void parse_value(const std::string& key, const std::string& text, bool& value);
void parse_value(const std::string& key, const std::string& text, int& value);
void parse_value(const std::string& key, const std::string& text, std::int64_t& value);
void parse_value(const std::string& key, const std::string& text, std::uint64_t& value);
void parse_value(const std::string& key, const std::string& text, float& value);
void parse_value(const std::string& key, const std::string& text, double& value);

// Values as TOML; numbers have as many digits as are needed to read back the same bits.
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
  std::string group;                              // the heading in help and files
  bool is_switch = false;                         // a flag without a value
  std::function<void(const std::string&)> parse;  // throws UserError that begins with the key
  std::function<std::string()> toml;              // the value as TOML; empty when there is none
  bool is_list = false;    // a file may give an array; `parse` gets its elements separated by commas
  std::string alone = {};  // the value of the flag when it is given without one; empty: it needs one
  char joined_by = 0;      // between the values of a flag that is given several times; 0: the last one counts
};

// Settings under a common heading, in the order in which users see them.
class SettingGroup {
 public:
  SettingGroup(std::string name, std::vector<Setting>& settings) : name_(std::move(name)), settings_(settings) {}

  // `value` must outlive the settings.
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

  // The flag of the last setting may be given without a value; it then has this one.
  SettingGroup& or_alone(std::string value) {
    settings_.back().alone = std::move(value);
    return *this;
  }

 private:
  std::string name_;
  std::vector<Setting>& settings_;
};

}  // namespace convoy
