#include "convoy/run/settings/amounts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>

#include "convoy/base/error.h"

namespace convoy {

double parse_duration(const std::string& key, const std::string& text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string unit(end, text.data() + text.size());
  const double factor = unit.empty() || unit == "s" ? 1 : unit == "m" ? 60 : unit == "h" ? 3600 : 0;
  if (error != std::errc() || factor == 0 || !(number > 0) || !std::isfinite(number)) {
    throw UserError("{} must be a time above 0 such as 90s, 30m or 2h, got '{}'", key, text);
  }
  return number * factor;
}

std::string duration_text(double seconds) {
  if (!std::isfinite(seconds)) return "-";
  const auto whole = static_cast<std::int64_t>(std::llround(seconds));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{}:{:02}", whole / 60, whole % 60);
  return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

namespace {

struct Unit {
  char letter;
  unsigned shift;
};
constexpr std::array kUnits = {Unit{'G', 30}, Unit{'M', 20}, Unit{'K', 10}};

constexpr std::size_t kLeast = 4;
constexpr std::size_t kMost = std::size_t{4} << 30U;

std::optional<std::size_t> parse_size(std::string_view text) {
  unsigned shift = 0;
  for (const Unit& unit : kUnits) {
    if (text.ends_with(unit.letter)) shift = unit.shift;
  }
  if (shift > 0) text.remove_suffix(1);
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || number > kMost >> shift) return std::nullopt;
  number <<= shift;
  if (number < kLeast) return std::nullopt;
  return number;
}

}  // namespace

std::vector<std::size_t> parse_byte_sizes(std::string_view text) {
  std::vector<std::size_t> sizes;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string_view word = text.substr(begin, end - begin);
    const auto size = parse_size(word);
    if (!size) throw UserError("\"{}\" is not a size; write bytes from 4 to 4G, such as 1K,64K,4M", word);
    sizes.push_back(*size);
    begin = end + 1;
  }
  std::ranges::sort(sizes);
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  return sizes;
}

std::size_t parse_byte_size(const std::string& key, std::string_view text) {
  const auto size = parse_size(text);
  if (!size) throw UserError("{}: \"{}\" is not a size; write bytes from 4 to 4G, such as 512K or 4M", key, text);
  return *size;
}

std::string byte_size_text(std::size_t bytes) {
  for (const Unit& unit : kUnits) {
    if (bytes != 0 && bytes % (std::size_t{1} << unit.shift) == 0) {
      return std::to_string(bytes >> unit.shift) + unit.letter;
    }
  }
  return std::to_string(bytes);
}

}  // namespace convoy
