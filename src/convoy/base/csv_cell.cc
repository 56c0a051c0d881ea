#include "convoy/base/csv_cell.h"

#include <algorithm>
#include <cctype>

namespace convoy {
namespace {

// A number, perhaps with a unit: "-0.5" or "+1.5 GiB/s". Stricter than reads_as_number, because a spreadsheet would
// compute "-2+3".
bool is_number(std::string_view text) {
  if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
  if (text.empty() || std::isdigit(static_cast<unsigned char>(text.front())) == 0) return false;
  text.remove_prefix(std::min(text.find_first_not_of("0123456789.,"), text.size()));
  if (text.starts_with("e-") || text.starts_with("e+")) {
    text.remove_prefix(2);
    text.remove_prefix(std::min(text.find_first_not_of("0123456789"), text.size()));
  }
  return std::ranges::all_of(text, [](char c) {
    return c == ' ' || c == '%' || c == '/' || std::isalpha(static_cast<unsigned char>(c)) != 0;
  });
}

bool begins_formula(std::string_view text) {
  return !text.empty() && std::string_view("=+-@\t\r").find(text.front()) != std::string_view::npos;
}

// Whether a spreadsheet would compute this text. Leading apostrophes are skipped: text that already begins with some
// gets one more, so that removing one always gives back the original.
bool is_computed(std::string_view text) {
  const std::size_t apostrophes = std::min(text.find_first_not_of('\''), text.size());
  const std::string_view rest = text.substr(apostrophes);
  return begins_formula(rest) && rest != "-" && !is_number(rest);
}

}  // namespace

std::string csv_cell(std::string_view text) {
  std::string cell = (is_computed(text) ? "'" : "") + std::string(text);
  if (cell.find_first_of(",\"\r\n") == std::string::npos) return cell;
  std::string quoted = "\"";
  for (const char c : cell) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

std::string_view text_of_csv_cell(std::string_view cell) {
  if (cell.starts_with('\'') && is_computed(cell)) cell.remove_prefix(1);
  return cell;
}

}  // namespace convoy
