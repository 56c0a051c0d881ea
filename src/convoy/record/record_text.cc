#include "convoy/record/record_text.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

namespace convoy {

void append_json_number(std::string& out, double value) {
  if (std::isfinite(value)) {
    // With as few digits as are needed to read back the same number.
    fmt::format_to(std::back_inserter(out), "{}", value);
  } else {
    out += "null";
  }
}

void append_json_number(std::string& out, std::int64_t value) { fmt::format_to(std::back_inserter(out), "{}", value); }

void append_cell(std::string& out, double value) {
  if (std::isfinite(value)) append_json_number(out, value);
}

void append_cell(std::string& out, std::int64_t value) { append_json_number(out, value); }

void append_cell(std::string& out, const std::optional<double>& value) {
  if (value) append_cell(out, *value);
}

}  // namespace convoy
