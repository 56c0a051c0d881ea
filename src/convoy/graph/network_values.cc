#include "convoy/graph/network_values.h"

#include <charconv>
#include <limits>
#include <optional>

#include "convoy/base/nearest.h"

namespace convoy {
namespace {

std::string trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(' ');
  if (begin == std::string_view::npos) return {};
  return std::string(text.substr(begin, text.find_last_not_of(' ') - begin + 1));
}

}  // namespace

std::string suggestion(std::string_view word, const std::vector<std::string>& known) {
  const std::optional<std::string> nearest = nearest_name(word, known);
  return nearest ? fmt::format("; did you mean \"{}\"?", *nearest) : "";
}

std::int64_t ValueReader::factor(std::string_view key, const std::string& text) const {
  std::int64_t number = 0;
  const char* const end = text.data() + text.size();
  if (const auto [stop, error] = std::from_chars(text.data(), end, number); error == std::errc() && stop == end) {
    return number;
  }
  if (const auto found = numbers_.find(text); found != numbers_.end()) {
    if (text == "classes" && found->second == 0) {
      refuse(key,
             "is \"classes\", and nothing says how many there are; write classes = N into the file or give "
             "--classes");
    }
    return found->second;
  }
  std::vector<std::string> names;
  for (const auto& [name, value] : numbers_) names.push_back(name);
  refuse(key, "is a whole number or a product of numbers and names, such as \"4*width\"; \"{}\" is neither{}", text,
         suggestion(text, names));
}

std::int64_t ValueReader::product(std::string_view key, const std::string& text) const {
  std::int64_t result = 1;
  char operation = '*';
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find_first_of("*/", at), text.size());
    const std::int64_t value = factor(key, trimmed(std::string_view(text).substr(at, end - at)));
    if (operation == '*') {
      if (__builtin_mul_overflow(result, value, &result)) refuse(key, "is too large: \"{}\"", text);
    } else {
      if (value == 0 || value == -1 || result % value != 0) refuse(key, "divides with a rest: \"{}\"", text);
      result /= value;
    }
    operation = end < text.size() ? text[end] : '*';
    at = end + 1;
  }
  return result;
}

std::int64_t ValueReader::whole(std::string_view key, const toml::node& node) const {
  if (const auto number = node.value_exact<std::int64_t>()) return *number;
  if (const auto text = node.value_exact<std::string>()) return product(key, *text);
  refuse(key, "must be a whole number");
}

void ValueReader::read(std::string_view key, const toml::node& node, int& value) const {
  const std::int64_t number = whole(key, node);
  if (number < std::numeric_limits<int>::min() || number > std::numeric_limits<int>::max()) {
    refuse(key, "is too large: {}", number);
  }
  value = static_cast<int>(number);
}

void ValueReader::read(std::string_view key, const toml::node& node, bool& value) const {
  const auto truth = node.value_exact<bool>();
  if (!truth) refuse(key, "must be true or false");
  value = *truth;
}

void ValueReader::read(std::string_view key, const toml::node& node, float& value) const {
  const auto number = node.value<double>();
  if (!number || node.is_boolean()) refuse(key, "must be a number");
  value = static_cast<float>(*number);
}

std::vector<int> ValueReader::wholes(std::string_view key, const toml::node& node) const {
  std::vector<int> values;
  if (const toml::array* const array = node.as_array()) {
    for (const toml::node& entry : *array) read(key, entry, values.emplace_back());
  } else {
    read(key, node, values.emplace_back());
  }
  return values;
}

void ValueReader::read(std::string_view key, const toml::node& node, Extent& value) const {
  const std::vector<int> values = wholes(key, node);
  if (values.empty() || values.size() > 2) refuse(key, "must be one number or [height, width]");
  value = {values.front(), values.back()};
}

void ValueReader::read(std::string_view key, const toml::node& node, Padding& value) const {
  const std::vector<int> v = wholes(key, node);
  if (v.size() == 1) {
    value = v[0];
  } else if (v.size() == 2) {
    value = {v[0], v[1], v[0], v[1]};
  } else if (v.size() == 4) {
    value = {v[0], v[1], v[2], v[3]};
  } else {
    refuse(key, "must be one number, [height, width] or [top, left, bottom, right]");
  }
}

}  // namespace convoy
