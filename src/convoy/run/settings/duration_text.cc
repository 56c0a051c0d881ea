#include "convoy/run/settings/duration_text.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstdint>

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

}  // namespace convoy
