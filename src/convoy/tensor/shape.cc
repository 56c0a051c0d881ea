#include "convoy/tensor/shape.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "convoy/base/error.h"

namespace convoy {

namespace {

// Reads one extent; `text` must be a positive number and nothing else. `whole` is the full shape, for the message.
std::int64_t parse_extent(std::string_view text, std::string_view whole) {
  std::int64_t extent = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), extent);
  if (error != std::errc() || end != text.data() + text.size() || extent <= 0) {
    throw UserError("shape '{}' is malformed at '{}': write positive whole numbers joined by x, such as 3x224x224",
                    whole, text);
  }
  return extent;
}

}  // namespace

Shape Shape::parse(std::string_view text) {
  std::vector<std::int64_t> dims;
  std::int64_t count = 1;
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find('x', begin), text.size());
    dims.push_back(parse_extent(text.substr(begin, end - begin), text));
    if (__builtin_mul_overflow(count, dims.back(), &count)) {
      throw UserError("shape '{}' has more elements than can be counted", text);
    }
    begin = end + 1;
  }
  return Shape(std::move(dims));
}

std::int64_t Shape::count() const {
  std::int64_t count = 1;
  for (const std::int64_t extent : dims_) {
    count *= extent;
  }
  return count;
}

std::string Shape::to_string() const { return dims_.empty() ? "scalar" : fmt::format("{}", fmt::join(dims_, "x")); }

}  // namespace convoy
