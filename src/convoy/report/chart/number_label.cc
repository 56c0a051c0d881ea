#include "convoy/report/chart/number_label.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace convoy::report {
namespace {

// How the numbers of an axis are written: divided by `divisor`, with `decimals` decimals, then `suffix`.
struct Notation {
  double divisor = 1;
  int decimals = 0;
  std::string suffix;
};

std::string superscript(int number) {
  constexpr std::array<std::string_view, 10> kDigits = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text;
  for (const char c : std::to_string(number)) text += c == '-' ? "⁻" : kDigits[static_cast<std::size_t>(c - '0')];
  return text;
}

// The decimal exponent of a number; rounding errors must not make that of 1000 a 2.
int decade_of(double magnitude) { return static_cast<int>(std::floor(std::log10(magnitude) + 1e-9)); }

int decimals_for(double resolution) {
  constexpr double kMost = 12;
  return static_cast<int>(std::clamp(std::ceil(-std::log10(resolution) - 1e-9), 0.0, kMost));
}

Notation notation_for(double largest, double resolution) {
  constexpr std::array<std::string_view, 4> kUnits = {" k", " M", " G", " T"};
  if (largest >= 1e-3 && largest < 1e5) return {.decimals = decimals_for(resolution)};
  const int decade = decade_of(largest);
  if (decade >= 5 && decade < 15) {
    const double divisor = std::pow(10.0, decade / 3 * 3);
    return {divisor, decimals_for(resolution / divisor), std::string(kUnits[static_cast<std::size_t>(decade / 3 - 1)])};
  }
  const double divisor = std::pow(10.0, decade);
  return {divisor, decimals_for(resolution / divisor), "·10" + superscript(decade)};
}

void group_digits(std::string& number) {
  const std::size_t end = std::min(number.find('.'), number.size());
  for (std::size_t place = end; place > 3;) {
    place -= 3;
    number.insert(place, 1, ',');
  }
}

std::string written(double value, const Notation& notation) {
  if (!std::isfinite(value)) return "–";
  std::string digits = fmt::format("{:.{}f}", std::abs(value) / notation.divisor, notation.decimals);
  const bool is_zero = digits.find_first_not_of("0.") == std::string::npos;
  group_digits(digits);
  if (is_zero) return notation.suffix.empty() ? digits : "0";
  return (value < 0 ? "−" : "") + digits + notation.suffix;
}

double largest_magnitude(std::span<const double> values) {
  double largest = 0;
  for (const double value : values) largest = std::isfinite(value) ? std::max(largest, std::abs(value)) : largest;
  return largest;
}

void drop_trailing_zeros(std::string& number) {
  const std::size_t point = number.find('.');
  if (point == std::string::npos) return;
  const std::size_t end = std::min(number.find_first_not_of("0123456789", point + 1), number.size());
  std::size_t kept = number.find_last_not_of('0', end - 1) + 1;
  if (kept == point + 1) kept = point;
  number.erase(kept, end - kept);
}

}  // namespace

std::vector<std::string> number_labels(std::span<const double> values, double resolution) {
  const double largest = largest_magnitude(values);
  const Notation notation = largest == 0 ? Notation{} : notation_for(largest, resolution);
  std::vector<std::string> labels;
  labels.reserve(values.size());
  for (const double value : values) labels.push_back(written(value, notation));
  return labels;
}

std::string number_label(double value) {
  if (!std::isfinite(value) || value == 0) return value == 0 ? "0" : "–";
  std::string label = number_labels({&value, 1}, std::pow(10.0, decade_of(std::abs(value)) - 2)).front();
  drop_trailing_zeros(label);
  // A power of ten is written without the factor 1.
  return label.starts_with("1·") ? label.substr(std::string_view("1·").size()) : label;
}

}  // namespace convoy::report
