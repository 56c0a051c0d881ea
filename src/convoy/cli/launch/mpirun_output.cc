#include "convoy/cli/launch/mpirun_output.h"

#include <algorithm>
#include <array>
#include <regex>
#include <utility>

#include "convoy/cli/launch/launcher_lines.h"

namespace convoy::cli {
namespace {

// Open MPI puts its messages between two such lines.
bool is_rule(std::string_view line) {
  constexpr std::size_t kShortest = 60;
  return line.size() >= kShortest && line.find_first_not_of('-') == std::string_view::npos;
}

constexpr std::string_view kSsh = "ssh: ";

// Only lines that begin like this are held back until they are complete; progress that is redrawn never does.
bool may_be_mpiruns(std::string_view part) {
  return std::string_view("-[mS").find(part.front()) != std::string_view::npos ||
         kSsh.starts_with(part.substr(0, kSsh.size()));
}

bool is_repetition(std::string_view line) {
  constexpr std::array kWords = {"mpirun: Forwarding signal", "sent help message", "orte_base_help_aggregate",
                                 "ORTE_ERROR_LOG"};
  return std::ranges::any_of(kWords,
                             [&](std::string_view words) { return line.find(words) != std::string_view::npos; });
}

bool tells_of_a_failed_rank(std::string_view block) {
  constexpr std::array kWords = {"MPI_ABORT was invoked", "Primary job  terminated normally",
                                 "exited with non-zero status", "mpirun noticed that", "mpirun has exited due to"};
  return std::ranges::any_of(kWords,
                             [&](std::string_view words) { return block.find(words) != std::string_view::npos; });
}

std::optional<KilledRank> killed_rank_in(const std::string& block) {
  static const std::regex kPattern(R"(process rank (\d+) with PID \d+ on node (\S+) exited on signal (\d+))");
  std::smatch match;
  if (!std::regex_search(block, match, kPattern)) return std::nullopt;
  return KilledRank{std::stoi(match[1]), match[2], std::stoi(match[3])};
}

bool tells_of_a_lost_host(std::string_view block) {
  return block.find("lost communication with a remote daemon") != std::string_view::npos;
}

bool tells_of_an_unreachable_host(std::string_view block) {
  return block.find("unable to reliably start one or more daemons") != std::string_view::npos;
}

// ssh's reason for not reaching a host, without the end of its line.
std::optional<std::string> words_of_ssh(std::string_view line) {
  if (!line.starts_with(kSsh)) return std::nullopt;
  return std::string(line.substr(0, line.find_last_not_of(" \r") + 1));
}

}  // namespace

void MpirunOutput::take(std::string_view piece) {
  while (!piece.empty()) {
    const std::size_t newline = piece.find('\n');
    std::size_t end = newline == std::string_view::npos ? piece.size() : newline + 1;
    const bool notice = !notice_.empty() || piece.front() == kNoticeMark;
    // Another thread of the rank may write a notice in the middle of a line, which then goes on after it.
    if (!notice) end = std::min(end, piece.find(kNoticeMark));
    const std::string_view part = piece.substr(0, end);
    piece.remove_prefix(end);
    notice ? take_notice(part) : take_words(part);
  }
}

void MpirunOutput::take_notice(std::string_view part) {
  notice_ += part;
  if (part.back() != '\n') return;
  std::string line = std::exchange(notice_, {});
  line.pop_back();
  if (const auto code = code_in_notice(line)) {
    if (!end_code_) end_code_ = code;
    state_.failed = true;
  } else if (auto folder = folder_in_notice(line)) {
    run_folder_ = std::move(folder);
  } else if (is_listening_notice(line)) {
    state_.listening = true;
  } else if (is_heard_notice(line)) {
    state_.heard = true;
  }
}

void MpirunOutput::take_words(std::string_view part) {
  const bool hold = in_block_ || !line_.empty() || (at_line_start_ && may_be_mpiruns(part));
  at_line_start_ = part.back() == '\n';
  if (!hold) return pass_(part);
  line_ += part;
  if (!at_line_start_) return;
  const std::string line = std::exchange(line_, {});
  take_line(line);
}

void MpirunOutput::finish() {
  if (in_block_) end_block();
  if (!line_.empty()) pass_(std::exchange(line_, {}));
}

void MpirunOutput::take_line(const std::string& line) {
  const std::string_view words = std::string_view(line).substr(0, line.size() - 1);
  const bool was_in_block = in_block_;
  if (is_rule(words)) {
    if (in_block_) end_block();
    in_block_ = !was_in_block;
  } else if (in_block_) {
    block_ += line;
  } else if (auto reason = words_of_ssh(words)) {
    ssh_words_ += (ssh_words_.empty() ? "" : "; ") + *reason;
  } else if (!is_repetition(words)) {
    pass_(line);
  }
}

void MpirunOutput::end_block() {
  in_block_ = false;
  const std::string block = std::exchange(block_, {});
  const bool rank_failed = tells_of_a_failed_rank(block);
  state_.failed = state_.failed || rank_failed || tells_of_a_lost_host(block);
  if (auto killed = killed_rank_in(block)) {
    killed_ = std::move(killed);
  } else if (tells_of_an_unreachable_host(block)) {
    unreachable_ = true;
  } else if (!rank_failed) {
    complaint_ += block;
  }
}

}  // namespace convoy::cli
