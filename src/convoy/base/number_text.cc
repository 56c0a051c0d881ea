#include "convoy/base/number_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <span>

namespace convoy {

namespace {

// Three significant digits, without trailing zeros after the point: "1.5", "12.3", "1000".
std::string three_digits(double value) {
  const double magnitude = std::abs(value);
  const int decimals = magnitude < 9.995 ? 2 : magnitude < 99.95 ? 1 : 0;
  std::string text = fmt::format("{:.{}f}", value, decimals);
  if (decimals > 0) {
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') {
      text.pop_back();
    }
  }
  return text;
}

// Divides by `step` until the number as printed stays below it: 999,999 is 1 M and not 1000 k.
std::string with_unit(double value, double step, std::span<const char* const> units) {
  std::size_t unit = 0;
  while (std::abs(value) >= step - 0.5 && unit + 1 < units.size()) {
    value /= step;
    ++unit;
  }
  const char* const space = *units[unit] == '\0' ? "" : " ";
  return three_digits(value) + space + units[unit];
}

}  // namespace

std::string grouped_text(std::int64_t number) {
  std::string text = std::to_string(number);
  const std::size_t first_digit = number < 0 ? 1 : 0;
  for (std::size_t place = text.size(); place > first_digit + 3;) {
    place -= 3;
    text.insert(place, 1, ',');
  }
  return text;
}

std::string bytes_text(double bytes) {
  constexpr std::array kUnits = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  return with_unit(bytes, 1024.0, kUnits);
}

std::string significant_text(double number, int digits) {
  if (!std::isfinite(number)) return "-";
  if (number == 0) return "0";
  const double magnitude = std::abs(number);
  constexpr double kReadable = 1e9;
  if (magnitude < 1 || magnitude >= kReadable) return fmt::format("{:#.{}g}", number, digits);
  // 9.9996 has one digit before the point, but rounded to four digits it is 10.00, which has two.
  const int before = static_cast<int>(std::floor(std::log10(magnitude))) + 1;
  const int decimals = digits > before ? digits - before : 0;
  const double unit = std::pow(10.0, -decimals);
  const bool grows = decimals > 0 && std::round(magnitude / unit) * unit >= std::pow(10.0, before);
  return fmt::format("{:.{}f}", number, grows ? decimals - 1 : decimals);
}

std::string percent_text(double share) {
  if (!std::isfinite(share)) return "-";
  const std::string text = fmt::format("{:.1f} %", 100 * share);
  return text == "-0.0 %" ? "0.0 %" : text;
}

std::string scaled_text(double number) {
  constexpr std::array kUnits = {"", "k", "M", "G", "T", "P", "E"};
  return with_unit(number, 1000.0, kUnits);
}

bool reads_as_number(std::string_view cell) {
  const std::size_t first = cell.find_first_not_of("+-.");
  if (first == std::string_view::npos || std::isdigit(static_cast<unsigned char>(cell[first])) == 0) {
    return false;
  }
  const std::size_t unit = std::min(cell.find_first_not_of("0123456789.,+-eE", first), cell.size());
  return unit == cell.size() || cell[unit] == ' ' || cell[unit] == '%';
}

}  // namespace convoy
