#include "convoy/record/json_fields.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <string_view>

#include "convoy/base/error.h"
#include "convoy/base/file/input_file.h"

namespace convoy {

namespace {

using Json = nlohmann::ordered_json;

[[noreturn]] void refuse(const char* name, const char* wanted) { throw DataError("'{}' is not {}", name, wanted); }

std::int64_t whole_number(const Json& json, const char* name) {
  // An unsigned number beyond the range would come back negative.
  const bool fits = json.is_number_integer() && (!json.is_number_unsigned() || json.get<std::uint64_t>() <= INT64_MAX);
  if (!fits) refuse(name, "a whole number");
  return json.get<std::int64_t>();
}

double number(const Json& json, const char* name) {
  if (json.is_null()) return std::numeric_limits<double>::quiet_NaN();
  if (!json.is_number()) refuse(name, "a number");
  return json.get<double>();
}

std::string text(const Json& json, const char* name) {
  if (!json.is_string()) refuse(name, "a text");
  return json.get<std::string>();
}

template <typename Value, typename Convert>
std::vector<Value> list(const Json& json, const char* name, Convert convert) {
  if (!json.is_array()) refuse(name, "a list");
  std::vector<Value> values;
  values.reserve(json.size());
  for (const Json& entry : json) values.push_back(convert(entry, name));
  return values;
}

// Records are nested only a few levels deep. Deeper JSON is refused because copying and writing it recurse and would
// overflow the stack.
constexpr int kDeepestJson = 64;

bool is_deep(std::string_view text) {
  int depth = 0;
  bool in_text = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (in_text && text[i] == '\\') {
      ++i;
    } else if (text[i] == '"') {
      in_text = !in_text;
    } else if (!in_text && (text[i] == '[' || text[i] == '{')) {
      if (++depth > kDeepestJson) return true;
    } else if (!in_text && (text[i] == ']' || text[i] == '}')) {
      --depth;
    }
  }
  return false;
}

}  // namespace

Json parse_json(const std::string& text) {
  if (is_deep(text)) throw DataError("no record: it is nested more than {} deep", kDeepestJson);
  try {
    return Json::parse(text);
  } catch (const nlohmann::json::parse_error& error) {
    throw DataError("no JSON from character {} on: altered or cut short", error.byte);
  } catch (const nlohmann::json::exception&) {  // a number that no double can hold
    throw DataError("no JSON that can be used: altered or cut short");
  }
}

Json read_json_file(const std::filesystem::path& path) {
  const std::string text = read_file(path);
  if (is_deep(text)) throw DataError("{}: no record: it is nested more than {} deep", path.string(), kDeepestJson);
  try {
    return Json::parse(text);
  } catch (const nlohmann::json::parse_error& error) {
    const auto before = static_cast<std::ptrdiff_t>(std::min(error.byte, text.size() + 1)) - 1;
    const auto line = 1 + std::count(text.begin(), text.begin() + std::max<std::ptrdiff_t>(before, 0), '\n');
    throw DataError("{}:{}: no JSON from here on: altered or cut short", path.string(), line);
  } catch (const nlohmann::json::exception&) {
    throw DataError("{}: no JSON that can be used: altered or cut short", path.string());
  }
}

std::string json_file_text(const Json& json) { return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n"; }

Json json_number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

const Json& json_field(const Json& object, const char* name) {
  if (!object.is_object()) throw DataError("no JSON object");
  const auto at = object.find(name);
  if (at == object.end()) throw DataError("'{}' is missing", name);
  return *at;
}

void read_field(const Json& object, const char* name, std::int64_t& value) {
  value = whole_number(json_field(object, name), name);
}

void read_field(const Json& object, const char* name, double& value) { value = number(json_field(object, name), name); }

void read_field(const Json& object, const char* name, std::string& value) {
  value = text(json_field(object, name), name);
}

void read_field(const Json& object, const char* name, std::vector<double>& values) {
  values = list<double>(json_field(object, name), name, number);
}

void read_field(const Json& object, const char* name, std::vector<std::int64_t>& values) {
  values = list<std::int64_t>(json_field(object, name), name, whole_number);
}

void read_field(const Json& object, const char* name, std::vector<std::string>& values) {
  values = list<std::string>(json_field(object, name), name, text);
}

void read_field(const Json& object, const char* name, std::map<std::string, std::string>& values) {
  const Json& json = json_field(object, name);
  if (!json.is_object()) refuse(name, "an object");
  for (const auto& [key, value] : json.items()) values[key] = text(value, name);
}

void read_field(const Json& object, const char* name, std::optional<double>& value) {
  value.reset();
  if (object.contains(name)) value = number(json_field(object, name), name);
}

void require_schema(const Json& object, int known) {
  std::int64_t schema = 0;
  read_field(object, "schema", schema);
  if (schema < 1) throw DataError("'schema' is {}, which is not a version", schema);
  if (schema > known) {
    throw UserError("written in version {} of its form, and this Convoy knows versions up to {}: use a newer Convoy",
                    schema, known);
  }
}

}  // namespace convoy
