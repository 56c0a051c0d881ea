// Fields of JSON objects, read with errors that name the field. A number that is not finite is null in JSON and NaN
// when it comes back.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace convoy {

// The text as JSON. Throws DataError with where it is none.
[[nodiscard]] nlohmann::ordered_json parse_json(const std::string& text);

// All of a file as JSON. Throws DataError with path and line.
[[nodiscard]] nlohmann::ordered_json read_json_file(const std::filesystem::path& path);

// The text of a JSON file, indented. Bytes that are no UTF-8 (a file's name may hold any) are replaced, not refused.
[[nodiscard]] std::string json_file_text(const nlohmann::ordered_json& json);

// The value, or null when it is not finite.
[[nodiscard]] nlohmann::ordered_json json_number(double value);

// Throws DataError when `object` is no object or has no such field.
[[nodiscard]] const nlohmann::ordered_json& json_field(const nlohmann::ordered_json& object, const char* name);

// Each takes the field `name` of `object`. Throws DataError when it is missing or of another kind.
void read_field(const nlohmann::ordered_json& object, const char* name, std::int64_t& value);
void read_field(const nlohmann::ordered_json& object, const char* name, double& value);
void read_field(const nlohmann::ordered_json& object, const char* name, std::string& value);
void read_field(const nlohmann::ordered_json& object, const char* name, std::vector<double>& values);
void read_field(const nlohmann::ordered_json& object, const char* name, std::vector<std::int64_t>& values);
void read_field(const nlohmann::ordered_json& object, const char* name, std::vector<std::string>& values);
void read_field(const nlohmann::ordered_json& object, const char* name, std::map<std::string, std::string>& values);
// A missing field is no value; a null is NaN.
void read_field(const nlohmann::ordered_json& object, const char* name, std::optional<double>& value);

// Throws UserError when the field `schema` is newer than `known`, DataError when it is no version at all.
void require_schema(const nlohmann::ordered_json& object, int known);

}  // namespace convoy
