#include "convoy/cli/launch/end_notice.h"

#include <fmt/format.h>

#include <charconv>

namespace convoy::cli {
namespace {

constexpr std::string_view kEndWords = "the run ends with code ";
constexpr std::string_view kFolderWords = "the run is recorded in ";

// What follows the words, if the line begins with the mark and them.
std::optional<std::string_view> after(std::string_view words, std::string_view line) {
  if (line.empty() || line.front() != kNoticeMark || !line.substr(1).starts_with(words)) return std::nullopt;
  return line.substr(1 + words.size());
}

}  // namespace

std::string end_notice(int exit_code) { return fmt::format("{}{}{}\n", kNoticeMark, kEndWords, exit_code); }

std::string folder_notice(const std::string& folder) {
  return fmt::format("{}{}{}\n", kNoticeMark, kFolderWords, folder);
}

std::optional<int> code_in_notice(std::string_view line) {
  const auto text = after(kEndWords, line);
  if (!text) return std::nullopt;
  int code = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), code);
  if (error != std::errc() || end != text->data() + text->size()) return std::nullopt;
  return code;
}

std::optional<std::string> folder_in_notice(std::string_view line) {
  const auto folder = after(kFolderWords, line);
  return folder ? std::optional<std::string>(*folder) : std::nullopt;
}

}  // namespace convoy::cli
