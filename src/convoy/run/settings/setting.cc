#include "convoy/run/settings/setting.h"

#include <fmt/format.h>

#include <charconv>
#include <limits>
#include <nlohmann/json.hpp>

#include "convoy/base/error.h"
#include "convoy/base/printable_text.h"
#include "convoy/base/utf8.h"

namespace convoy {
namespace {

template <typename Number>
void parse_number(const std::string& key, const std::string& text, const char* what, Number& value) {
  Number parsed{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), parsed);
  if (error != std::errc() || end != text.data() + text.size()) {
    throw UserError("{} must be {}, got '{}'", key, what, text);
  }
  value = parsed;
}

// TOML distinguishes numbers with a fraction from whole numbers.
template <typename Float>
std::string float_text(Float value) {
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".en") == std::string::npos) text += ".0";
  return text;
}

}  // namespace

// Settings are kept in files of JSON and TOML, which are UTF-8.
void parse_value(const std::string& key, const std::string& text, std::string& value) {
  if (!is_utf8(text)) throw UserError("{} must be UTF-8 text, got '{}'", key, quoted_text(text));
  value = text;
}

void parse_value(const std::string& key, const std::string& text, bool& value) {
  if (text != "true" && text != "false") throw UserError("{} must be true or false, got '{}'", key, text);
  value = text == "true";
}

void parse_value(const std::string& key, const std::string& text, int& value) {
  parse_number(key, text, "a whole number", value);
}
void parse_value(const std::string& key, const std::string& text, std::int64_t& value) {
  parse_number(key, text, "a whole number", value);
}
void parse_value(const std::string& key, const std::string& text, std::uint64_t& value) {
  parse_number(key, text, "a whole number that is not negative", value);
}
void parse_value(const std::string& key, const std::string& text, float& value) {
  parse_number(key, text, "a number", value);
}
void parse_value(const std::string& key, const std::string& text, double& value) {
  parse_number(key, text, "a number", value);
}

// A JSON string is also a valid TOML string.
std::string toml_value(const std::string& value) { return nlohmann::json(value).dump(); }
std::string toml_value(bool value) { return value ? "true" : "false"; }
std::string toml_value(int value) { return fmt::format("{}", value); }
std::string toml_value(std::int64_t value) { return fmt::format("{}", value); }
// Whole numbers of TOML are signed; larger ones are written as text.
std::string toml_value(std::uint64_t value) {
  constexpr std::uint64_t kLargest = std::numeric_limits<std::int64_t>::max();
  return value <= kLargest ? fmt::format("{}", value) : fmt::format("\"{}\"", value);
}
std::string toml_value(float value) { return float_text(value); }
std::string toml_value(double value) { return float_text(value); }

}  // namespace convoy
