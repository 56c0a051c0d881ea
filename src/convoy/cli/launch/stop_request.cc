#include "convoy/cli/launch/stop_request.h"

#include <fmt/format.h>
#include <unistd.h>

#include <charconv>

#include "convoy/cli/launch/end_notice.h"
#include "convoy/cli/launch/rank_environment.h"

namespace convoy::cli {
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
