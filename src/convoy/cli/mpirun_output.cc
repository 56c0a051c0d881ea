#include "convoy/cli/mpirun_output.h"

#include <algorithm>
#include <array>
#include <regex>
#include <utility>

#include "convoy/cli/end_notice.h"

namespace convoy::cli {
namespace {

// Open MPI puts its messages between two of these.
bool is_rule(std::string_view line) {
  constexpr std::size_t kShortest = 60;
  return line.size() >= kShortest && line.find_first_not_of('-') == std::string_view::npos;
}

// Only such lines are held back until they are whole; progress that is redrawn never begins so.
bool may_be_mpiruns(char first) {
  return first == kNoticeMark || std::string_view("-[mS").find(first) != std::string_view::npos;
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

}  // namespace

void MpirunOutput::take(std::string_view piece) {
  while (!piece.empty()) {
    const std::size_t end =
        std::min(piece.size(), piece.find('\n') == std::string_view::npos ? piece.size() : piece.find('\n') + 1);
    const std::string_view part = piece.substr(0, end);
    piece.remove_prefix(end);
    const bool hold = in_block_ || !line_.empty() || (at_line_start_ && may_be_mpiruns(part.front()));
    at_line_start_ = part.back() == '\n';
    if (!hold) {
      pass_(part);
      continue;
    }
    line_ += part;
    if (at_line_start_) {
      const std::string line = std::exchange(line_, {});
      take_line(line);
    }
  }
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
  } else if (const auto code = code_in_notice(words)) {
    if (!end_code_) end_code_ = code;
    failed_ = true;
  } else if (auto folder = folder_in_notice(words)) {
    run_folder_ = std::move(folder);
  } else if (in_block_) {
    block_ += line;
  } else if (!is_repetition(words)) {
    pass_(line);
  }
}

void MpirunOutput::end_block() {
  in_block_ = false;
  const std::string block = std::exchange(block_, {});
  const bool rank_failed = tells_of_a_failed_rank(block);
  failed_ = failed_ || rank_failed || tells_of_a_lost_host(block);
  if (auto killed = killed_rank_in(block)) {
    killed_ = std::move(killed);
  } else if (!rank_failed) {
    complaint_ += block;
  }
}

}  // namespace convoy::cli
