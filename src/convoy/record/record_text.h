// Writes records as text: a line of JSON or a row of CSV, both from one list of fields (visit_fields). It does not
// build a JSON tree first, because every step writes a record.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "convoy/record/json_fields.h"

namespace convoy {

// The number as JSON; null when it is not finite.
void append_json_number(std::string& out, double value);
void append_json_number(std::string& out, std::int64_t value);

// The same for CSV, where a number that is not finite or missing is an empty cell.
void append_cell(std::string& out, double value);
void append_cell(std::string& out, std::int64_t value);
void append_cell(std::string& out, const std::optional<double>& value);

// Appends `"name":value,`; nothing for a missing value.
template <typename Value>
void append_member(std::string& out, const char* name, const Value& value) {
  out.append(1, '"').append(name).append("\":");
  append_json_number(out, value);
  out += ',';
}
inline void append_member(std::string& out, const char* name, const std::optional<double>& value) {
  if (value) append_member(out, name, *value);
}

// Appends {"step":1,...} and a newline.
template <typename Record>
void append_json_line(std::string& out, const Record& record) {
  out += '{';
  visit_fields(record, [&](const char* name, const auto& value) { append_member(out, name, value); });
  out.back() = '}';
  out += '\n';
}

template <typename Record>
void append_csv_row(std::string& out, const Record& record) {
  visit_fields(record, [&](const char*, const auto& value) {
    append_cell(out, value);
    out += ',';
  });
  out.back() = '\n';
}

// The first row: the names of the fields.
template <typename Record>
std::string csv_header() {
  std::string out;
  const Record record;
  visit_fields(record, [&](const char* name, const auto&) { out.append(name).append(1, ','); });
  out.back() = '\n';
  return out;
}

// Throws DataError that names the field that is missing or wrong.
template <typename Record>
Record record_from(const nlohmann::ordered_json& json) {
  Record record;
  visit_fields(record, [&](const char* name, auto& value) { read_field(json, name, value); });
  return record;
}

}  // namespace convoy
