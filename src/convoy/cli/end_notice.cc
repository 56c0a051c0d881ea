#include "convoy/cli/end_notice.h"

#include <fmt/format.h>

#include <charconv>

namespace convoy::cli {
namespace {

constexpr std::string_view kWords = "the run ends with code ";

}  // namespace

std::string end_notice(int exit_code) { return fmt::format("{}{}{}\n", kNoticeMark, kWords, exit_code); }

std::optional<int> code_in_notice(std::string_view line) {
  if (line.empty() || line.front() != kNoticeMark || !line.substr(1).starts_with(kWords)) return std::nullopt;
  line.remove_prefix(1 + kWords.size());
  int code = 0;
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), code);
  if (error != std::errc() || end != line.data() + line.size()) return std::nullopt;
  return code;
}

}  // namespace convoy::cli
