#include "convoy/cli/launch/launcher_lines.h"

#include <fmt/format.h>
#include <unistd.h>

#include <charconv>

#include "convoy/cli/launch/rank_environment.h"

namespace convoy::cli {
namespace {

constexpr std::string_view kEndWords = "the run ends with code ";
constexpr std::string_view kFolderWords = "the run is recorded in ";

// The rest of the line, if it begins with the mark and these words.
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

namespace {

constexpr std::string_view kRequestWords = "stop for signal ";
constexpr std::string_view kListeningWords = "requests to stop are listened to";
constexpr std::string_view kHeardWords = "the request to stop was heard";

bool is_notice(std::string_view words, std::string_view line) {
  return !line.empty() && line.front() == kNoticeMark && line.substr(1) == words;
}

}  // namespace

std::string stop_request(int signal) { return fmt::format("{}{}\n", kRequestWords, signal); }

std::optional<int> signal_in_request(std::string_view line) {
  if (!line.starts_with(kRequestWords)) return std::nullopt;
  line.remove_prefix(kRequestWords.size());
  int signal = 0;
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), signal);
  if (error != std::errc() || end != line.data() + line.size() || signal <= 0) return std::nullopt;
  return signal;
}

std::string listening_notice() { return fmt::format("{}{}\n", kNoticeMark, kListeningWords); }
std::string heard_notice() { return fmt::format("{}{}\n", kNoticeMark, kHeardWords); }

bool is_listening_notice(std::string_view line) { return is_notice(kListeningWords, line); }
bool is_heard_notice(std::string_view line) { return is_notice(kHeardWords, line); }

std::optional<StopChannel> stop_channel() {
  if (!environment_variable(kReadsNotices)) return std::nullopt;
  const auto launched = launched_rank(environment_variable);
  if (!launched) return std::nullopt;
  if (launched->rank != 0) return StopChannel{};
  return StopChannel{.requests = STDIN_FILENO, .answers = STDERR_FILENO};
}

}  // namespace convoy::cli
