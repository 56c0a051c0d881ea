// Records as text: a line of JSON or a row of CSV, from one list of fields (visit_fields). Written by hand and not by
// way of a JSON tree, because there is one for each step.
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

// The same for CSV, where what is not finite or not there is an empty cell.
void append_cell(std::string& out, double value);
void append_cell(std::string& out, std::int64_t value);
void append_cell(std::string& out, const std::optional<double>& value);

// `"name":value,`; nothing for a value that is not there.
template <typename Value>
void append_member(std::string& out, const char* name, const Value& value) {
  out.append(1, '"').append(name).append("\":");
  append_json_number(out, value);
  out += ',';
}
inline void append_member(std::string& out, const char* name, const std::optional<double>& value) {
  if (value) append_member(out, name, *value);
}

// {"step":1,...} and a newline.
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

// The first row: the fields' names.
template <typename Record>
std::string csv_header() {
  std::string out;
  const Record record;
  visit_fields(record, [&](const char* name, const auto&) { out.append(name).append(1, ','); });
  out.back() = '\n';
  return out;
}

// Throws DataError naming the field that is missing or wrong.
template <typename Record>
Record record_from(const nlohmann::ordered_json& json) {
  Record record;
  visit_fields(record, [&](const char* name, auto& value) { read_field(json, name, value); });
  return record;
}

}  // namespace convoy
