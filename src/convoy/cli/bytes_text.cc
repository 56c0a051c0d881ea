#include "convoy/cli/bytes_text.h"

#include <charconv>
#include <cmath>

#include "convoy/base/error.h"

namespace convoy::cli {

std::size_t parse_bytes(const std::string& key, const std::string& text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string unit(end, text.data() + text.size());
  const double factor = unit.empty() ? 1 : unit == "K" ? 1024 : unit == "M" ? 1 << 20 : unit == "G" ? 1 << 30 : 0;
  if (error != std::errc() || factor == 0 || !(number * factor >= 1) || !std::isfinite(number)) {
    throw UserError("{} must be a size such as 512K, 4M or 1G, got '{}'", key, text);
  }
  return static_cast<std::size_t>(number * factor);
}

}  // namespace convoy::cli
