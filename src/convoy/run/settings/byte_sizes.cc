#include "convoy/run/settings/byte_sizes.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string>

#include "convoy/base/error.h"

namespace convoy {
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
    if (!size) throw UserError("\"{}\" is no size; write bytes from 4 to 4G, such as 1K,64K,4M", word);
    sizes.push_back(*size);
    begin = end + 1;
  }
  std::ranges::sort(sizes);
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  return sizes;
}

std::size_t parse_byte_size(const std::string& key, std::string_view text) {
  const auto size = parse_size(text);
  if (!size) throw UserError("{}: \"{}\" is no size; write bytes from 4 to 4G, such as 512K or 4M", key, text);
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
