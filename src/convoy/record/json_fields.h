// Reads fields of JSON objects, with errors that name the field. A number that is not finite is null in JSON and is
// read as NaN.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace convoy {

// Parses the text. Throws DataError with the position when it is not JSON.
[[nodiscard]] nlohmann::ordered_json parse_json(const std::string& text);

// Parses a whole file. Throws DataError with path and line.
[[nodiscard]] nlohmann::ordered_json read_json_file(const std::filesystem::path& path);

// The indented text of a JSON file. Bytes that are not UTF-8 (a file's name may contain any) are replaced, not refused.
[[nodiscard]] std::string json_file_text(const nlohmann::ordered_json& json);

// The value, or null when it is not finite.
[[nodiscard]] nlohmann::ordered_json json_number(double value);

// Throws DataError when `object` is not an object or has no such field.
[[nodiscard]] const nlohmann::ordered_json& json_field(const nlohmann::ordered_json& object, const char* name);

// Each reads the field `name` of `object`. Throws DataError when it is missing or has another type.
void read_field(const nlohmann::ordered_json& object, const char* name, std::int64_t& value);
void read_field(const nlohmann::ordered_json& object, const char* name, double& value);
void read_field(const nlohmann::ordered_json& object, const char* name, std::string& value);
void read_field(const nlohmann::ordered_json& object, const char* name, std::vector<double>& values);
void read_field(const nlohmann::ordered_json& object, const char* name, std::vector<std::int64_t>& values);
void read_field(const nlohmann::ordered_json& object, const char* name, std::vector<std::string>& values);
void read_field(const nlohmann::ordered_json& object, const char* name, std::map<std::string, std::string>& values);
// A missing field gives no value; null gives NaN.
void read_field(const nlohmann::ordered_json& object, const char* name, std::optional<double>& value);

// Throws UserError when the field `schema` is newer than `known`, DataError when it is not a version at all.
void require_schema(const nlohmann::ordered_json& object, int known);

}  // namespace convoy
